import type { CallContext } from '@vernal/core';
import { throwIfAborted, untilAborted } from '@vernal/core';

/**
 * `work` for every item, at most `concurrency` at a time, results in the order of the items. The source is asked for the next item only when
 * there is room for it, one at a time. What throws ends it: the signal that `work` was given fires, and the source is closed.
 */
export async function concurrentMap<T, R>(
  source: Iterable<T> | AsyncIterable<T>,
  { concurrency, signal }: { readonly concurrency: number; readonly signal?: AbortSignal | undefined },
  work: (item: T, index: number, context: CallContext & { readonly signal: AbortSignal }) => Promise<R>,
): Promise<R[]> {
  throwIfAborted(signal);
  const stop = new AbortController();
  const context = { signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]) };
  const items = new SharedItems(source);
  const results: R[] = [];
  let workers = 0;
  const worker = async (): Promise<void> => {
    workers++;
    let next = await items.next();
    if (next === undefined) return;
    // Whoever has an item calls the next worker: a concurrency far above the number of items takes no memory.
    const other = workers < concurrency ? worker() : undefined;
    const own = async (): Promise<void> => {
      for (; next !== undefined; next = await items.next()) {
        results[next.index] = await work(next.item, next.index, context);
      }
    };
    await Promise.all([own(), other]);
  };
  try {
    await untilAborted(worker(), signal);
    return results;
  } finally {
    // Whoever is still at work when this is left is working for nobody.
    stop.abort();
    await items.close();
  }
}

/** An iterable that many read, each item by one of them. */
class SharedItems<T> {
  readonly #iterator: Iterator<T> | AsyncIterator<T>;
  /** The last reader's turn: an iterator need not bear two questions at once. */
  #turn: Promise<unknown> = Promise.resolve();
  #taken = 0;
  #isAsked = false;
  #isOver = false;

  constructor(source: Iterable<T> | AsyncIterable<T>) {
    this.#iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  next(): Promise<{ readonly item: T; readonly index: number } | undefined> {
    const turn = this.#turn.then(() => this.#take());
    this.#turn = turn.catch(() => {
      this.#isOver = true;
    });
    return turn;
  }

  async #take(): Promise<{ readonly item: T; readonly index: number } | undefined> {
    if (this.#isOver) return undefined;
    this.#isAsked = true;
    const { done, value } = await this.#iterator.next();
    this.#isAsked = false;
    if (this.#isOver || done === true) {
      this.#isOver = true;
      return undefined;
    }
    return { item: value, index: this.#taken++ };
  }

  /** A generator that waits for its own next item cannot be closed before that has come: it is not waited for. */
  async close(): Promise<void> {
    if (this.#isOver && !this.#isAsked) return;
    this.#isOver = true;
    const closed = Promise.resolve(this.#iterator.return?.()).catch(() => undefined);
    if (!this.#isAsked) await closed;
  }
}
