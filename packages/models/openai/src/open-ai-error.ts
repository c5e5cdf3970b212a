import { isRetryableStatus, type JsonValue, ModelError, modelErrorCode, retryAfterMs, VernalError } from '@vernal/core';

/** What the SDK's errors look like; told apart by shape, since a client that was handed in may come from another copy of the SDK. */
interface SdkError {
  readonly name?: unknown;
  readonly status?: unknown;
  readonly headers?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly param?: unknown;
  readonly requestID?: unknown;
  readonly error?: unknown;
  readonly message?: unknown;
}

export interface OpenAiErrorPlace {
  readonly model: string | undefined;
  /** True after the first chunk of a stream. */
  readonly streaming: boolean;
  /** Puts the provider's own words into the message. */
  readonly providerMessages: boolean;
}

const fixes: Readonly<Record<string, string>> = {
  model_authentication: 'the key was refused: check `apiKey`, and that it may use this model',
  model_not_found: 'the model or the address does not exist: check `model` and `baseURL`',
  model_rate_limit: 'too many requests, or no credit left: wait, or raise the limit of the account',
  model_overloaded: 'the provider is overloaded: try again later',
  model_bad_request: 'the request was refused: check the options and the messages',
  model_error: 'the provider failed: try again later',
};

/**
 * Any failure of the SDK as a `ModelError`: code by status, retryable, Retry-After, request id. The provider's words may quote a key or
 * a prompt and stay out unless asked for.
 */
export function openAiError(thrown: unknown, place: OpenAiErrorPlace): VernalError {
  if (VernalError.is(thrown)) return thrown;
  const error: SdkError = typeof thrown === 'object' && thrown !== null ? thrown : {};
  const status = typeof error.status === 'number' ? error.status : statusInBody(error);
  const words = place.providerMessages && typeof error.message === 'string' ? ` (${error.message})` : '';
  if (status !== undefined) {
    const code = modelErrorCode(status);
    return new ModelError(`OpenAI answered ${status}: ${fixes[code] ?? fixes['model_error']}${words}`, {
      code,
      provider: 'openai',
      subject: code === 'model_not_found' ? 'model' : code === 'model_authentication' ? 'apiKey' : undefined,
      status,
      requestId: typeof error.requestID === 'string' ? error.requestID : undefined,
      retryable: isRetryableStatus(status),
      retryAfterMs:
        typeof error.headers === 'object' && error.headers !== null ? retryAfterMs(error.headers) : undefined,
      details: details(error, place),
    });
  }
  if (isBodyError(error)) {
    const code = place.streaming ? 'model_stream_interrupted' : 'model_error';
    return new ModelError(`OpenAI reported an error in the middle of its answer: try again${words}`, {
      code,
      provider: 'openai',
      retryable: true,
      details: details(error, place),
    });
  }
  if (/Timeout/.test(nameOf(thrown))) {
    return new ModelError('OpenAI did not answer in time: raise `timeoutMs`, or try again', {
      code: 'timeout',
      provider: 'openai',
      subject: 'timeoutMs',
      retryable: true,
    });
  }
  return place.streaming
    ? new ModelError('The connection to OpenAI broke in the middle of the answer: try again', {
        code: 'model_stream_interrupted',
        provider: 'openai',
        retryable: true,
        cause: thrown,
      })
    : new ModelError('OpenAI cannot be reached: check the network and `baseURL`', {
        code: 'model_connection',
        provider: 'openai',
        subject: 'baseURL',
        retryable: true,
        cause: thrown,
      });
}

/** The SDK names its classes in `constructor`, not in `name`. */
function nameOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null ? String(thrown.constructor?.name ?? '') : '';
}

/** Some servers send a status as the code of an error inside a stream. */
function statusInBody({ code }: SdkError): number | undefined {
  const number = typeof code === 'string' && /^[45]\d\d$/.test(code) ? Number(code) : code;
  return typeof number === 'number' && number >= 400 && number < 600 ? number : undefined;
}

function isBodyError(error: SdkError): boolean {
  return typeof error.error === 'object' && error.error !== null;
}

/** Identifiers only: no free text. */
function details(error: SdkError, { model }: OpenAiErrorPlace): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = model === undefined ? {} : { model };
  for (const name of ['code', 'type', 'param'] as const) {
    const value = error[name];
    if (typeof value === 'string' && /^[\w.[\]-]{1,64}$/.test(value)) found[`provider_${name}`] = value;
  }
  return found;
}
