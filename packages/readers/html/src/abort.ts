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
