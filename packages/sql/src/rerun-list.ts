import { type RetryPolicy, retry } from '@vernal/core';

/** Two that were in each other's way are apart within milliseconds; more than a few times is no coincidence. */
const POLICY: RetryPolicy = { maxAttempts: 6, initialDelayMs: 5, multiplier: 2, jitter: 1 };

/**
 * Runs a list again that the engine has undone because it met others in a deadlock: it holds all there is to do, so nobody else has to know.
 * `isUndone` is asked about what the driver threw.
 */
export function rerunList<T>(
  run: () => Promise<T>,
  isUndone: (thrown: unknown) => boolean,
  signal: AbortSignal | undefined,
): Promise<T> {
  return retry(run, { ...POLICY, retryable: isUndone }, { signal });
}
