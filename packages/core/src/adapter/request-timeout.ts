import { bodyChunks, throwIfAborted } from '@vernal/core';

/** The most milliseconds that a timer of the platform can wait, some 24 days; one for longer would ring at once. */
export const LONGEST_TIMEOUT_MS: number = 2 ** 31 - 1;

/**
 * The time that one request may wait for its server: the whole of it, or each silence in the middle of a stream. Its signal follows the
 * caller's, and fires when the time is over, which closes the connection. Must be stopped. `modelErrorFrom` makes a `timeout` of the
 * `TimeoutError` that it rejects with.
 *
 * @example
 * const timeout = new RequestTimeout(timeoutMs, request.signal);
 * try {
 *   const response = await timeout.within(fetch(url, { signal: timeout.signal }));
 *   for await (const bytes of timeout.chunks(response.body)) yield read(bytes);
 * } finally {
 *   timeout.stop();
 * }
 */
export class RequestTimeout {
  readonly #ms: number | undefined;
  readonly #source: AbortSignal | undefined;
  readonly #own = new AbortController();
  readonly #follow = (): void => this.#own.abort(this.#source?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #endsAt = 0;
  #late = false;
  #giveUp: ((late: DOMException) => void) | undefined;

  /**
   * Throws when the caller's signal has fired already.
   *
   * @param ms - undefined is no limit, as is anything else that is no number: clients of SDKs that a user hands over may have none
   */
  constructor(ms: number | undefined, source: AbortSignal | undefined) {
    throwIfAborted(source);
    this.#ms = typeof ms === 'number' ? Math.min(ms, LONGEST_TIMEOUT_MS) : undefined;
    this.#source = source;
    source?.addEventListener('abort', this.#follow, { once: true });
  }

  /** Whether the time is over. */
  get late(): boolean {
    return this.#late;
  }

  /** The request's own: fires with the caller's, and when the time is over. */
  get signal(): AbortSignal {
    return this.#own.signal;
  }

  /**
   * Settles as the work does, or rejects with a `TimeoutError` once the time since `begunAt` is over, whether or not the work heeds the
   * signal. One at a time.
   *
   * @param begunAt - by `performance.now()`; default now
   */
  async within<T>(work: PromiseLike<T>, begunAt: number = performance.now()): Promise<T> {
    const ms = this.#ms;
    if (ms === undefined) return work;
    this.#endsAt = begunAt + ms;
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#giveUp = reject;
        work.then(resolve, reject);
        // One timer for many waits: it looks when it rings whether one of them is late.
        this.#timer ??= setTimeout(this.#ring, this.#endsAt - performance.now());
      });
    } finally {
      this.#giveUp = undefined;
    }
  }

  /** A body's bytes, each read within the time. The reader's own time does not count. */
  chunks(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
    const chunks = bodyChunks(body);
    if (this.#ms === undefined) return chunks;
    return {
      [Symbol.asyncIterator]: () => {
        const source = chunks[Symbol.asyncIterator]();
        return {
          next: () => this.within(source.next()),
          return: async () => (await source.return?.()) ?? { done: true, value: undefined },
        };
      },
    };
  }

  /** Lets go of the timer and of the caller's signal. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#source?.removeEventListener('abort', this.#follow);
  }

  readonly #ring = (): void => {
    this.#timer = undefined;
    if (this.#giveUp === undefined) return;
    const left = this.#endsAt - performance.now();
    if (left > 0) {
      this.#timer = setTimeout(this.#ring, left);
      return;
    }
    this.#late = true;
    const late = new DOMException('The time is over', 'TimeoutError');
    this.#giveUp(late);
    this.#own.abort(late);
  };
}
