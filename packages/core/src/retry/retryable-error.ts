import { isRetryableStatus } from '../errors/retryable-status.js';
import { VernalError } from '../errors/vernal-error.js';
import { retryAfterMs } from './retry-after.js';

const CONNECTION_CODES: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** How far down a chain of causes is looked: fetch hides the socket's error one or two levels deep. */
const MAX_CAUSES = 4;

/** `VernalError.retryable`; of other errors a status of 408, 409, 429 or 5xx, or a broken connection. */
export function isRetryableError(error: unknown): boolean {
  if (VernalError.is(error)) return error.retryable;
  if (typeof error !== 'object' || error === null || nameOf(error) === 'AbortError') return false;
  const status: unknown = Reflect.get(error, 'status') ?? Reflect.get(error, 'statusCode');
  return typeof status === 'number' ? isRetryableStatus(status) : isConnectionError(error);
}

/** Milliseconds that the server asked for: `VernalError.retryAfterMs`, or the headers that SDKs hang on their errors. */
export function retryAfterOf(error: unknown): number | undefined {
  if (VernalError.is(error)) return error.retryAfterMs;
  const headers: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'headers') : undefined;
  return typeof headers === 'object' && headers !== null ? retryAfterMs(headers) : undefined;
}

function isConnectionError(error: object): boolean {
  let current: unknown = error;
  for (let i = 0; i < MAX_CAUSES && typeof current === 'object' && current !== null; i++) {
    if (CONNECTION_CODES.has(Reflect.get(current, 'code')) || nameOf(current) === 'APIConnectionError') return true;
    current = Reflect.get(current, 'cause');
  }
  return false;
}

function nameOf(error: object): unknown {
  return Reflect.get(error, 'name');
}
