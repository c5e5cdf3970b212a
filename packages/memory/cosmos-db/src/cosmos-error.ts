import { abortError, type JsonValue, VernalError } from '@vernal/core';

interface Fault {
  readonly fix: string;
  readonly retryable?: boolean;
}

const LOST: Fault = {
  fix: 'the connection was lost or could not be had: check the endpoint, and try again',
  retryable: true,
};
const BUSY: Fault = { fix: 'the service is busy or moving: try again later', retryable: true };

/** https://learn.microsoft.com/rest/api/cosmos-db/http-status-codes-for-cosmosdb */
const FAULTS: Readonly<Record<number, Fault>> = {
  400: {
    fix: 'the request was refused: is the consistency of the account Session or stronger, and the index of the container as it should be?',
  },
  401: { fix: 'the key was refused: check it, and the clock of this machine' },
  403: {
    fix: 'the identity may not do this, a firewall is in the way, or a partition is full: grant a data plane role, see the activity',
  },
  404: { fix: "the database or the container does not exist: create it, or set initializeSchema to 'always'" },
  408: { fix: 'the service took too long: try again', retryable: true },
  409: { fix: 'an item is in the way: has the container a unique key policy? It must not have one' },
  410: BUSY,
  413: { fix: 'the write is larger than the service takes' },
  429: { fix: 'the request units are used up: try again later, or raise the throughput', retryable: true },
  449: BUSY,
  500: BUSY,
  503: BUSY,
};

/** What is known of something that the SDK threw. */
export interface CosmosFailure {
  readonly status?: number | undefined;
  readonly substatus?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The SDK's or Node.js's word. */
  readonly code?: string | undefined;
  readonly activityId?: string | undefined;
}

/** The error of an answer or of a lost one. Its words are this package's own: those of the service may quote what is stored. */
export function cosmosError(failure: CosmosFailure, errorCode: 'store_read' | 'store_write'): VernalError {
  const { status, retryAfterMs } = failure;
  const fault = status === undefined ? LOST : (FAULTS[status] ?? (status > 500 ? BUSY : FAULTS[400]));
  const details: Record<string, JsonValue> = {};
  for (const name of ['status', 'substatus', 'code', 'activityId'] as const) {
    const value = failure[name];
    if (value !== undefined) details[name] = value;
  }
  const what = errorCode === 'store_read' ? 'read from' : 'written to';
  return new VernalError(`Chat memory could not be ${what} Cosmos DB: ${fault?.fix}`, {
    code: errorCode,
    subject: status === 401 ? 'key' : status === 404 ? 'initializeSchema' : undefined,
    retryable: fault?.retryable ?? false,
    retryAfterMs,
    details,
  });
}

/** What a caller is told of what was thrown. */
export function cosmosErrorFrom(
  thrown: unknown,
  errorCode: 'store_read' | 'store_write',
  signal: AbortSignal | undefined,
): unknown {
  if (VernalError.is(thrown)) return thrown;
  if (signal?.aborted) return abortError(signal);
  const name = fieldOf(thrown, 'name');
  if (name === 'CredentialUnavailableError' || name === 'AuthenticationError' || isRefusedBearer(thrown))
    return new VernalError('Azure gave no token: check the credential, and that the endpoint begins with https://', {
      code: errorCode,
      subject: 'credential',
    });
  return cosmosError(failureOf(thrown), errorCode);
}

/** The failing answer, as the SDK tells it. */
export function failureOf(thrown: unknown): CosmosFailure {
  const code = fieldOf(thrown, 'code');
  const last = lastAnswer(thrown);
  const status = typeof code === 'number' ? code : numberOf(fieldOf(last, 'statusCode'));
  return {
    status: status !== undefined && status >= 400 ? status : undefined,
    substatus: numberOf(fieldOf(thrown, 'substatus') ?? fieldOf(last, 'subStatusCode')),
    retryAfterMs: numberOf(fieldOf(thrown, 'retryAfterInMs')),
    code: typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : undefined,
    activityId: textOf(fieldOf(thrown, 'activityId') ?? fieldOf(last, 'activityId')),
  };
}

/** `Items.batch` throws an error with nothing but words; the answers that it had are in its diagnostics. */
function lastAnswer(thrown: unknown): unknown {
  const answers = fieldOf(fieldOf(fieldOf(thrown, 'diagnostics'), 'clientSideRequestStatistics'), 'gatewayStatistics');
  return Array.isArray(answers) ? answers.at(-1) : undefined;
}

function isRefusedBearer(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.includes('Bearer token authentication is not permitted');
}

function fieldOf(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined;
}
