import { abortError, throwIfAborted } from '../context/abort-error.js';

/** The longest wait a timer can hold; anything above would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Waits `ms` milliseconds. Rejects with `aborted`, or with the `VernalError` that is the signal's reason, as soon as the signal fires; leaves
 * neither timer nor listener behind.
 */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  throwIfAborted(signal);
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      if (signal !== undefined) reject(abortError(signal));
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
