import { VernalError } from '@vernal/core';

/** What an aborted call rejects with: `timeout` when a deadline aborted it, else `aborted`; the signal's reason is the cause. */
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

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortError(signal);
}

/**
 * Lets promises lose against a signal, with one listener for all of them, removed by `close`. Without it a model that ignores its
 * signal would hold up an aborted call.
 */
export class AbortRace {
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;
  #reject: ((error: unknown) => void) | undefined;

  constructor(signal: AbortSignal) {
    throwIfAborted(signal);
    this.#signal = signal;
    this.#onAbort = () => this.#reject?.(abortError(signal));
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** One at a time. A failure after the abort is the abort's. */
  run<T>(promise: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject;
      promise.then(resolve, (error: unknown) => {
        reject(this.#signal.aborted && !VernalError.is(error) ? abortError(this.#signal) : error);
      });
      if (this.#signal.aborted) reject(abortError(this.#signal));
    });
  }

  close(): void {
    this.#reject = undefined;
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
