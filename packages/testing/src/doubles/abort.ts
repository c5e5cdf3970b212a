import { VernalError } from '@vernal/core';

/** 'timeout' for `AbortSignal.timeout`, else 'aborted', as every model has it. */
function abortError(signal: AbortSignal): VernalError {
  const reason: unknown = signal.reason;
  const timedOut = typeof reason === 'object' && reason !== null && Reflect.get(reason, 'name') === 'TimeoutError';
  return new VernalError(
    timedOut ? 'The call took longer than its signal allows' : 'The call was aborted by its signal',
    {
      code: timedOut ? 'timeout' : 'aborted',
      subject: 'signal',
      cause: reason,
    },
  );
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/** Waits; rejects as soon as the signal fires. Neither the timer nor the listener outlives it. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(abortError(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
