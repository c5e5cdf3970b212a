import { ModelError, safeCause, VernalError } from '@vernal/core';
import type { ModelErrorPlace } from './model-error-from.js';

/**
 * What `read` makes of an answer, or of a piece of it, that came from a provider. A shape it cannot read is `model_error`, not to be
 * repeated: the connection was fine, and the same answer would come again. An error that the provider reports inside its answer (an
 * error with an `error` object, as SDKs have it) and any other `VernalError` but `invalid_argument` pass.
 *
 * @example
 * const answer = readAnswer({ provider: 'acme', name: 'Acme' }, () => fromAcme(body));
 */
export function readAnswer<T>(place: ModelErrorPlace, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (VernalError.is(error) ? error.code !== 'invalid_argument' : isReported(error)) throw error;
    const { provider, name, model, streaming } = place;
    throw new ModelError(
      `${name} answered in a shape that cannot be read: check \`baseURL\` and the server behind it`,
      {
        code: streaming ? 'model_stream_interrupted' : 'model_error',
        provider,
        subject: 'baseURL',
        retryable: false,
        details: model === undefined ? {} : { model },
        cause: place.providerMessages ? error : safeCause(error),
      },
    );
  }
}

/** A counter as a provider reports it: a whole number of at least 0; anything else counts as not said. */
export function reportedCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function isReported(error: unknown): boolean {
  return typeof error === 'object' && error !== null && typeof Reflect.get(error, 'error') === 'object';
}
