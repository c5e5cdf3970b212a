import { VernalError } from '../errors/vernal-error.js';

/** What an aborted call rejects with: `timeout` when the signal came from `AbortSignal.timeout`, else `aborted`; its reason is the cause. */
export function abortError(signal: AbortSignal): VernalError {
  const reason: unknown = signal.reason;
  const timedOut = typeof reason === 'object' && reason !== null && Reflect.get(reason, 'name') === 'TimeoutError';
  return timedOut
    ? new VernalError('The call took longer than its signal allows', {
        code: 'timeout',
        subject: 'signal',
        cause: reason,
      })
    : new VernalError('The call was aborted by its signal', { code: 'aborted', subject: 'signal', cause: reason });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}
