import { abortError } from '@vernal/core';

/** Aborts what is under way when one fails or the caller's signal fires; holds one listener, which goes with it. */
class SharedSignal {
  readonly #controller = new AbortController();
  readonly #source: AbortSignal | undefined;
  readonly #follow = (): void => this.#controller.abort(this.#source?.reason);

  constructor(source: AbortSignal | undefined) {
    this.#source = source;
    if (source?.aborted === true) this.#follow();
    else source?.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What is still under way ends. */
  abort(): void {
    this.#controller.abort();
  }

  unlink(): void {
    this.#source?.removeEventListener('abort', this.#follow);
  }
}

/**
 * Results in the order of the items, at most `limit` calls at a time. The first failure is the failure of all: nothing more is started, and
 * the signal of those under way fires.
 */
export async function concurrentCalls<T, R>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal | undefined,
  call: (item: T, signal: AbortSignal | undefined) => Promise<R>,
): Promise<R[]> {
  const [only] = items;
  if (only !== undefined && items.length === 1) return [await call(only, signal)];
  const shared = new SharedSignal(signal);
  const results: R[] = [];
  const rest = items.entries();
  let isOver = false;
  const work = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (signal?.aborted === true) throw abortError(signal);
      results[index] = await call(item, shared.signal);
      if (isOver) return;
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
    return results;
  } catch (error) {
    isOver = true;
    shared.abort();
    throw error;
  } finally {
    shared.unlink();
  }
}
