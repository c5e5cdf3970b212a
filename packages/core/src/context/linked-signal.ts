import { abortError, throwIfAborted } from './abort-error.js';

type OnAbort = (error: Error) => void;

/**
 * A signal of one call's own that follows the caller's. Whatever an SDK hangs on it goes with the call, so a long-lived signal collects
 * nothing; the one listener on the caller's signal is removed by `unlink`.
 */
export class LinkedSignal {
  readonly #source: AbortSignal;
  /** Made when somebody looks: it costs more than all the rest of a call. */
  #controller: AbortController | undefined;
  /** Set once the signal is to be aborted, with the reason of whoever ended the work. */
  #ended: { readonly reason: unknown } | undefined;
  readonly #waiting = new Set<OnAbort>();
  readonly #follow = (): void => {
    this.#end(this.#source.reason);
    for (const reject of this.#waiting) reject(abortError(this.#source));
  };

  /** Throws when the source is aborted already. */
  constructor(source: AbortSignal) {
    throwIfAborted(source);
    this.#source = source;
    source.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#ended !== undefined) this.#controller.abort(this.#ended.reason);
    }
    return this.#controller.signal;
  }

  /** Whether the caller's signal has fired. */
  get aborted(): boolean {
    return this.#source.aborted;
  }

  /** What the caller is told in place of `error`, which may be any SDK's way of saying that it was aborted. */
  explain(error: unknown): unknown {
    return this.#source.aborted ? abortError(this.#source) : error;
  }

  /** Called once when the source aborts, after the signal did. */
  onAbort(listener: OnAbort): void {
    this.#waiting.add(listener);
  }

  /** Settles as `promise` does, but rejects as soon as the source aborts, whether or not the work heeds its signal. */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      promise.then(
        (value) => {
          this.#waiting.delete(reject);
          resolve(value);
        },
        (error: unknown) => {
          this.#waiting.delete(reject);
          reject(this.explain(error));
        },
      );
    });
  }

  /** Stops the work without a word to the caller, who has turned away. */
  cancel(): void {
    this.#end(undefined);
  }

  #end(reason: unknown): void {
    this.#ended ??= { reason };
    this.#controller?.abort(reason);
  }

  unlink(): void {
    this.#source.removeEventListener('abort', this.#follow);
  }
}
