import { VernalError } from '../errors/vernal-error.js';

/**
 * An async iterable that opens its source at the first `next()` and closes it when the loop is left. Once open, its source's answers are
 * handed on as they are: no hop and no allocation per item. Read a second time it throws `invalid_state`, where a plain generator would
 * seem empty.
 */
export function singleUseStream<T>(open: () => Promise<AsyncIterator<T>> | AsyncIterator<T>): AsyncIterable<T> {
  let taken = false;
  return {
    [Symbol.asyncIterator]() {
      if (taken) {
        throw new VernalError('This stream was read already; a stream is read once, ask for a new one', {
          code: 'invalid_state',
          subject: 'stream',
        });
      }
      taken = true;
      return new LateIterator(open);
    },
  };
}

class LateIterator<T> implements AsyncIterableIterator<T> {
  readonly #open: () => Promise<AsyncIterator<T>> | AsyncIterator<T>;
  #opening: Promise<AsyncIterator<T>> | undefined;
  #source: AsyncIterator<T> | undefined;
  #closed = false;

  constructor(open: () => Promise<AsyncIterator<T>> | AsyncIterator<T>) {
    this.#open = open;
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#closed) return Promise.resolve({ done: true, value: undefined });
    if (this.#source !== undefined) return this.#source.next();
    this.#opening ??= this.#openOnce();
    return this.#opening.then((source) => source.next());
  }

  async return(): Promise<IteratorResult<T>> {
    if (!this.#closed) {
      this.#closed = true;
      await this.#close();
    }
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<T>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #openOnce(): Promise<AsyncIterator<T>> {
    try {
      const source = await this.#open();
      this.#source = source;
      return source;
    } catch (error) {
      // As a generator does: the error is thrown once, then the stream is over.
      this.#closed = true;
      throw error;
    }
  }

  async #close(): Promise<void> {
    if (this.#opening === undefined) return;
    const source = await this.#opening.catch(() => undefined);
    await source?.return?.();
  }
}
