import type { Document, Documents } from '@vernal/core';
import { throwIfAborted, untilAborted } from '@vernal/core';

/**
 * Maps documents with up to `concurrency` calls at a time, in order, reading no further ahead than that. After an error the calls under
 * way are aborted.
 */
export async function* concurrentMap<T>(
  documents: Documents,
  concurrency: number,
  map: (document: Document, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const leaving = new AbortController();
  const joined = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal]);
  const running: Promise<T>[] = [];
  const start = (document: Document): void => {
    const result = map(document, joined);
    // It is awaited in its turn; until then a rejection must not count as unhandled.
    result.catch(() => {});
    running.push(result);
  };
  try {
    for await (const document of documents) {
      throwIfAborted(signal);
      start(document);
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
