import { isRetryableStatus, type JsonValue, ModelError, retryAfterMs, safeCause, VernalError } from '@vernal/core';
import { notTheApi } from './answer-faults.js';
import { modelErrorCode } from './model-error-code.js';

/** Where a provider's SDK failed. */
export interface ModelErrorPlace {
  /** As in `ChatModel.provider`. */
  readonly provider: string;
  /** The provider's name as people write it: 'OpenAI'. */
  readonly name: string;
  readonly model?: string | undefined;
  /** True once the answer has begun: a failure is then `model_stream_interrupted`. */
  readonly streaming?: boolean | undefined;
  /** Puts the provider's own words into message and cause; they may quote a key or a prompt. Default false. */
  readonly providerMessages?: boolean | undefined;
}

/** What the errors of SDKs and of `fetch` have in common; read by shape, since a client may come from another copy of its SDK. */
interface ForeignError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly status?: unknown;
  readonly status_code?: unknown;
  readonly headers?: unknown;
  readonly requestID?: unknown;
  readonly error?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly param?: unknown;
}

const fixes: Readonly<Record<string, string>> = {
  model_authentication: 'the key was refused: check `apiKey`, and that it may use this model',
  model_not_found: 'the model or the address does not exist: check `model` and `baseURL`',
  model_rate_limit: 'too many requests, or no credit left: wait, or raise the limit of the account',
  model_overloaded: 'it is overloaded: try again later',
  model_bad_request: 'the request was refused: check the options and the messages',
  model_error: 'it failed: try again later',
};

/**
 * Any failure of a provider's SDK, or of the connection, as a `ModelError`: code and `retryable` by HTTP status, Retry-After, the
 * provider's request id, and its error codes under `details.provider_code`, `provider_type` and `provider_param`. A `VernalError` comes
 * back as it is.
 *
 * @example
 * try { … } catch (error) { throw modelErrorFrom(error, { provider: 'acme', name: 'Acme', model }); }
 */
export function modelErrorFrom(thrown: unknown, place: ModelErrorPlace): VernalError {
  if (VernalError.is(thrown)) return thrown;
  const error: ForeignError = typeof thrown === 'object' && thrown !== null ? thrown : {};
  const words = place.providerMessages && typeof error.message === 'string' ? ` (${error.message})` : '';
  const cause = place.providerMessages ? thrown : safeCause(thrown);
  const { provider, name } = place;
  const requestId = typeof error.requestID === 'string' ? error.requestID : undefined;
  const status = statusOf(error);
  if (status !== undefined) {
    const code = modelErrorCode(status);
    return new ModelError(`${name} answered ${status}: ${fixes[code] ?? fixes['model_error']}${words}`, {
      code,
      provider,
      subject: code === 'model_not_found' ? 'model' : code === 'model_authentication' ? 'apiKey' : undefined,
      status,
      requestId,
      retryable: isRetryableStatus(status),
      retryAfterMs:
        typeof error.headers === 'object' && error.headers !== null ? retryAfterMs(error.headers) : undefined,
      details: details(error, place),
    });
  }
  if (typeof error.error === 'object' && error.error !== null) {
    return new ModelError(`${name} reported an error in the middle of its answer: try again${words}`, {
      code: place.streaming ? 'model_stream_interrupted' : 'model_error',
      provider,
      requestId,
      retryable: true,
      details: details(error, place),
    });
  }
  if (error.name === 'SyntaxError' && !place.streaming) return notTheApi(place);
  if (/timeout/i.test(`${classOf(thrown)} ${String(error.name)}`)) {
    const fault = `${name} did not answer in time: raise \`timeoutMs\`, or try again`;
    return new ModelError(fault, { code: 'timeout', provider, subject: 'timeoutMs', retryable: true });
  }
  return place.streaming
    ? new ModelError(`The connection to ${name} broke in the middle of the answer: try again`, {
        code: 'model_stream_interrupted',
        provider,
        retryable: true,
        cause,
      })
    : new ModelError(`${name} cannot be reached${whyOf(thrown)}: check the network and \`baseURL\``, {
        code: 'model_connection',
        provider,
        subject: 'baseURL',
        retryable: true,
        cause,
      });
}

/** The platform's own name for it, ' (ECONNREFUSED)', from the fault or what caused it. */
function whyOf(thrown: unknown): string {
  // A safe cause has no code but a platform's.
  for (let at = safeCause(thrown); at instanceof Error && !VernalError.is(at); at = at.cause) {
    if ('code' in at) return ` (${at.code})`;
  }
  return '';
}

/** Some SDKs name their classes in `constructor` only. */
function classOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null ? String(thrown.constructor?.name ?? '') : '';
}

/** Some servers send a status as the code of an error inside a stream. */
function statusOf({ status, status_code, code }: ForeignError): number | undefined {
  for (const value of [status, status_code, typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code]) {
    if (typeof value === 'number' && value >= 400 && value < 600) return value;
  }
  return undefined;
}

/** Identifiers only: no free text. */
function details(error: ForeignError, { model }: ModelErrorPlace): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = model === undefined ? {} : { model };
  for (const name of ['code', 'type', 'param'] as const) {
    const value = error[name];
    if (typeof value === 'string' && /^[\w.[\]-]{1,64}$/.test(value)) found[`provider_${name}`] = value;
  }
  return found;
}
