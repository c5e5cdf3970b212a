import { VernalError } from '../errors/vernal-error.js';

/**
 * What an aborted call rejects with: `timeout` when the signal came from `AbortSignal.timeout`, else `aborted`; the signal's reason is the
 * cause. A reason that is a `VernalError` is the error itself. For adapters: every wait ends this way, so that callers see one shape.
 */
export function abortError(signal: AbortSignal): VernalError {
  const reason: unknown = signal.reason;
  if (VernalError.is(reason)) return reason;
  const timedOut = typeof reason === 'object' && reason !== null && Reflect.get(reason, 'name') === 'TimeoutError';
  return timedOut
    ? new VernalError('The call took longer than its signal allows', {
        code: 'timeout',
        subject: 'signal',
        cause: reason,
      })
    : new VernalError('The call was aborted by its signal', { code: 'aborted', subject: 'signal', cause: reason });
}

/** Throws `abortError(signal)` if the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortError(signal);
}

/** Settles as `promise` does, or rejects with `abortError` as soon as the signal fires. Leaves no listener behind. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
