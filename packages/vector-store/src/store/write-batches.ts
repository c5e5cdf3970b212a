import type { Document, Documents } from '@vernal/core';
import { BatchError, throwIfAborted, VernalError } from '@vernal/core';

/** Enough to fill several requests of any embedding model, little enough to hold in memory. */
const WRITE_BATCH = 512;

async function flush(
  batch: readonly Document[],
  stored: number,
  add: (batch: readonly Document[]) => Promise<void>,
): Promise<void> {
  try {
    await add(batch);
  } catch (error) {
    if (stored === 0 || BatchError.is(error)) throw error;
    const known = VernalError.is(error) ? error : undefined;
    throw new BatchError(`A batch of ${batch.length} documents was not stored, ${stored} before it were`, {
      code: known?.code,
      subject: 'documents',
      details: { stored },
      retryable: known?.retryable,
      failedIds: batch.map(({ id }) => id),
      cause: error,
    });
  }
}

/** Takes from the source only what the next batch needs. */
export async function inBatches(
  documents: Documents,
  maxBatch: number | undefined,
  signal: AbortSignal | undefined,
  add: (batch: readonly Document[]) => Promise<void>,
): Promise<void> {
  const size = Math.min(maxBatch ?? WRITE_BATCH, WRITE_BATCH);
  let batch: Document[] = [];
  let stored = 0;
  for await (const document of documents) {
    throwIfAborted(signal);
    batch.push(document);
    if (batch.length < size) continue;
    await flush(batch, stored, add);
    stored += batch.length;
    batch = [];
  }
  if (batch.length > 0) await flush(batch, stored, add);
}
