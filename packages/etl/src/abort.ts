import { VernalError } from '@vernal/core';

/** What an aborted call rejects with. */
export function abortError(signal: AbortSignal): VernalError {
  const reason: unknown = signal.reason;
  const isTimeout = typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError';
  return new VernalError(
    isTimeout ? 'The call took longer than its signal allows' : 'The call was aborted by its signal',
    {
      code: isTimeout ? 'timeout' : 'aborted',
      subject: 'signal',
      cause: reason,
    },
  );
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/** Settles as `promise` does, or rejects as soon as the signal aborts. Leaves no listener behind. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
