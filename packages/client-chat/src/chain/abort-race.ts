import { abortError, throwIfAborted, VernalError } from '@vernal/core';

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

/** What `start` gives, unless the signal comes first. */
export function raceAbort<T>(signal: AbortSignal | undefined, start: () => Promise<T>): Promise<T> {
  return signal === undefined ? start() : raced(signal, start);
}

async function raced<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
  const race = new AbortRace(signal);
  try {
    return await race.run(start());
  } finally {
    race.close();
  }
}
