import { VernalError } from '@vernal/core';

/** A time limit, if there is one, and a signal as one signal. One timer, always cleared; one listener, always removed. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #outer: AbortSignal | undefined;
  readonly #onAbort: () => void;
  readonly #ms: number | undefined;
  #passed = false;

  constructor(ms: number | undefined, outer: AbortSignal | undefined) {
    this.#ms = ms;
    this.#outer = outer;
    this.#onAbort = () => this.#controller.abort(outer?.reason);
    if (outer?.aborted === true) this.#onAbort();
    else outer?.addEventListener('abort', this.#onAbort, { once: true });
    if (ms === undefined) return;
    this.#timer = setTimeout(() => {
      this.#passed = true;
      // The reason that `AbortSignal.timeout` gives: whoever sees the signal reports a time-out.
      this.#controller.abort(new DOMException(`The turn took longer than ${ms} ms`, 'TimeoutError'));
    }, ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** What a failure is called from outside. */
  explain(error: unknown): unknown {
    const byTime = this.#passed && VernalError.is(error) && (error.code === 'timeout' || error.code === 'aborted');
    if (!byTime) return error;
    return new VernalError(`The turn took longer than its timeout of ${this.#ms} ms`, {
      code: 'timeout',
      subject: 'timeout',
      details: { timeoutMs: this.#ms ?? 0 },
      cause: error,
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#onAbort);
  }
}
