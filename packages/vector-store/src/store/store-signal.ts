import { abortError, throwIfAborted } from '@vernal/core';

/**
 * Runs `work` under a signal of its own that follows the caller's, so that whatever a driver hangs on it goes with the call. Rejects as
 * soon as the caller's signal fires, whether or not the driver heeds it.
 */
export async function withLinkedSignal<T>(
  source: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  if (source === undefined) return work(controller.signal);
  throwIfAborted(source);
  let follow = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    follow = (): void => {
      controller.abort(source.reason);
      reject(abortError(source));
    };
    source.addEventListener('abort', follow, { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } catch (error) {
    // Drivers have many ways to say that they were aborted; callers learn one.
    throw source.aborted ? abortError(source) : error;
  } finally {
    source.removeEventListener('abort', follow);
  }
}
