import type { Document } from '@vernal/core';
import { BatchError, EmbeddingError, VernalError } from '@vernal/core';

function idsOf(documents: readonly Document[]): string[] {
  return documents.map(({ id }) => id);
}

function failedIn(part: readonly Document[], error: unknown): readonly string[] {
  // Without a vector for each document nothing of the part was written; another BatchError knows better.
  return BatchError.is(error) && !EmbeddingError.is(error) ? error.failedIds : idsOf(part);
}

function isAbort(error: unknown): boolean {
  return VernalError.is(error) && (error.code === 'aborted' || error.code === 'timeout');
}

/** The error of a part, as told to the caller: every document that is not stored is named, here or by nothing being stored at all. */
function explain(error: unknown, failedIds: readonly string[], stored: number): unknown {
  if (EmbeddingError.is(error)) {
    const { message, code, subject, details, retryable, retryAfterMs, embedded, cause } = error;
    return new EmbeddingError(message, { code, subject, details, retryable, retryAfterMs, embedded, cause, failedIds });
  }
  if (stored === 0 && !BatchError.is(error)) return error;
  const known = VernalError.is(error) ? error : undefined;
  return new BatchError(
    `${failedIds.length} documents were not stored, ${stored} before them were: add those that failedIds names again`,
    { code: known?.code, subject: 'documents', retryable: known?.retryable, retryAfterMs: known?.retryAfterMs, failedIds, cause: error },
  );
}

/** Writes part by part, in order, and stops at the first that fails. */
export async function addInParts(
  documents: readonly Document[],
  size: number,
  add: (part: readonly Document[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < documents.length; start += size) {
    const part = start === 0 && documents.length <= size ? documents : documents.slice(start, start + size);
    try {
      await add(part);
    } catch (error) {
      if (isAbort(error) && start === 0) throw error;
      const failedIds = [...failedIn(part, error), ...idsOf(documents.slice(start + part.length))];
      throw explain(error, failedIds, documents.length - failedIds.length);
    }
  }
}
