import type { Document } from '@vernal/core';
import { BatchError, EmbeddingError, VernalError } from '@vernal/core';

/** How far an add has come; read also when its signal fires in the middle. */
export interface AddProgress {
  /** Documents of the parts that have landed. */
  stored: number;
  /** Documents of the part that is being written. */
  writing: number;
}

/** Writes part by part, in order, and stops at the first that fails. */
export async function addInParts(
  documents: readonly Document[],
  size: number,
  progress: AddProgress,
  add: (part: readonly Document[]) => Promise<void>,
): Promise<void> {
  while (progress.stored < documents.length) {
    const part = documents.length <= size ? documents : documents.slice(progress.stored, progress.stored + size);
    progress.writing = part.length;
    await add(part);
    progress.stored += part.length;
  }
}

function idsOf(documents: readonly Document[]): string[] {
  return documents.map(({ id }) => id);
}

/** What the caller is told: every document that is not stored is named, or nothing at all was stored. */
export function explainAdd(error: unknown, documents: readonly Document[], { stored, writing }: AddProgress): unknown {
  const rest = documents.slice(stored);
  if (EmbeddingError.is(error)) {
    // Without a vector for each document nothing of the part was written.
    const { message, code, subject, details, retryable, retryAfterMs, embedded, cause } = error;
    const failedIds = idsOf(rest);
    return new EmbeddingError(message, { code, subject, details, retryable, retryAfterMs, embedded, cause, failedIds });
  }
  if (stored === 0 && !BatchError.is(error)) return error;
  const failedIds = BatchError.is(error) ? [...error.failedIds, ...idsOf(rest.slice(writing))] : idsOf(rest);
  if (BatchError.is(error) && failedIds.length === error.failedIds.length) return error;
  const known = VernalError.is(error) ? error : undefined;
  return new BatchError(
    `${failedIds.length} of ${documents.length} documents were not stored: add those that failedIds names again`,
    {
      code: known?.code,
      subject: 'documents',
      retryable: known?.retryable,
      retryAfterMs: known?.retryAfterMs,
      failedIds,
      cause: error,
    },
  );
}
