import type { Document } from '@vernal/core';
import { BatchError, VernalError } from '@vernal/core';
import { isFiniteVector, isVector } from './vector-check.js';

function faultOf(vector: unknown, dimensions: number): string | undefined {
  if (!isVector(vector) || vector.length === 0) return 'no vector';
  if (vector.length !== dimensions) return `a vector of ${vector.length} dimensions beside one of ${dimensions}`;
  return isFiniteVector(vector) ? undefined : 'a vector with NaN or an infinity';
}

/** What a model gave for documents: one finite vector each, all of one length; else a `BatchError`, before anything is
 * written. */
export function checkEmbedded(documents: readonly Document[], vectors: readonly Float32Array[]): void {
  const dimensions = vectors[0]?.length ?? 0;
  const faulty: string[] = [];
  let fault: string | undefined;
  for (const [index, document] of documents.entries()) {
    const found = faultOf(vectors[index], dimensions);
    if (found === undefined) continue;
    fault ??= found;
    faulty.push(document.id);
  }
  if (fault === undefined) return;
  throw new BatchError(
    `The embedding model gave ${fault} for ${faulty.length} of ${documents.length} documents; nothing of the batch was written: details.faulty names them`,
    { code: 'embedding', subject: 'embeddingModel', failedIds: documents.map(({ id }) => id), details: { faulty } },
  );
}

/** What a model gave for a query. */
export function checkQueryVector(vectors: readonly Float32Array[]): Float32Array {
  const vector = vectors[0];
  const fault = vectors.length === 1 ? faultOf(vector, vector?.length ?? 0) : `${vectors.length} vectors`;
  if (fault === undefined && vector !== undefined) return vector;
  throw new VernalError(`The embedding model gave ${fault} for the query`, {
    code: 'embedding',
    subject: 'embeddingModel',
  });
}
