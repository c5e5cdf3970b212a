import { retry, VernalError } from '@vernal/core';

/** Told by the object: others may throw errors that look alike. */
const thrown = new WeakSet<object>();

/** What an attempt throws that another writer was quicker than. A caller sees it when that was so each time. */
export function beaten(): VernalError {
  const error = new VernalError('Others wrote to the conversation each time that this write was tried: try again', {
    code: 'store_write',
    retryable: true,
  });
  thrown.add(error);
  return error;
}

/** Begins an attempt anew, after a moment, as long as it is beaten. */
export function untilLanded<T>(signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
  const policy = {
    maxAttempts: 60,
    initialDelayMs: 5,
    multiplier: 1.5,
    maxDelayMs: 500,
    jitter: 1,
    retryable: (error: unknown) => thrown.has(error as object),
  };
  return retry(attempt, policy, { signal });
}
