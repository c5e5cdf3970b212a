import { throwIfAborted, untilAborted } from '@vernal/core';

/**
 * Maps items with up to `concurrency` calls at a time, in order, reading no further ahead than that. After an error the calls under
 * way are aborted.
 */
export async function* concurrentMap<S, T>(
  items: Iterable<S> | AsyncIterable<S>,
  concurrency: number,
  map: (item: S, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const leaving = new AbortController();
  const joined = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal]);
  const running: Promise<T>[] = [];
  const start = (item: S): void => {
    const result = map(item, joined);
    // It is awaited in its turn; until then a rejection must not count as unhandled.
    result.catch(() => {});
    running.push(result);
  };
  try {
    for await (const item of items) {
      throwIfAborted(signal);
      start(item);
      const [first] = running;
      if (first === undefined || running.length < concurrency) continue;
      yield await untilAborted(first, signal);
      running.shift();
    }
    for (const result of running) yield await untilAborted(result, signal);
  } finally {
    leaving.abort();
  }
}
