import { throwIfAborted, type VernalError } from '@vernal/core';

/** One end of all waits of a call: the caller's signal, or the time that is over. Must be stopped. */
export class CallLimit {
  readonly #source: AbortSignal | undefined;
  readonly #own = new AbortController();
  readonly #follow = (): void => this.#own.abort(this.#source?.reason);
  readonly #timer: ReturnType<typeof setTimeout>;

  /** Throws when the caller's signal has fired already. */
  constructor(source: AbortSignal | undefined, ms: number, late: () => VernalError) {
    throwIfAborted(source);
    this.#source = source;
    source?.addEventListener('abort', this.#follow, { once: true });
    this.#timer = setTimeout(() => this.#own.abort(late()), ms);
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  /** Lets go of the timer and of the caller's signal. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#source?.removeEventListener('abort', this.#follow);
  }
}
