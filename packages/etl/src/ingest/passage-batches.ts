import type { Document } from '@vernal/core';
import { untilAborted } from '@vernal/core';

/** Passages that follow each other in their source. */
export interface PassageBatch {
  /** The number of the first. */
  readonly from: number;
  readonly passages: readonly Document[];
}

/**
 * Passages in batches, without the first `skipped` of them; returns how many there are. Ends with the signal, even if what makes them does
 * not heed it, and closes it.
 */
export async function* passageBatches(
  passages: AsyncIterable<Document>,
  { skipped, size, signal }: { readonly skipped: number; readonly size: number; readonly signal: AbortSignal },
): AsyncGenerator<PassageBatch, number> {
  const source = passages[Symbol.asyncIterator]();
  let number = 0;
  let isOver = false;
  let batch: Document[] = [];
  try {
    for (;;) {
      const next = await untilAborted(source.next(), signal);
      if (next.done) break;
      if (number++ < skipped) continue;
      batch.push(next.value);
      if (batch.length < size) continue;
      yield { from: number - batch.length, passages: batch };
      batch = [];
    }
    isOver = true;
    if (batch.length > 0) yield { from: number - batch.length, passages: batch };
    return number;
  } finally {
    // What hangs would close only after its next passage: an aborted run does not wait for that.
    const closing = isOver ? undefined : (async () => source.return?.())().catch(() => {});
    if (!signal.aborted) await closing;
  }
}
