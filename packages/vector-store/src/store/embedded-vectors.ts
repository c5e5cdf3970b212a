import type { Document } from '@vernal/core';
import { BatchError, invalidArgument, VernalError } from '@vernal/core';
import { isFiniteVector, isVector } from './vector-check.js';
import { vectorFault } from './vector-fault.js';
import type { VectorMetric } from './vector-store-capabilities.js';

const FAULTS = {
  zero: 'a vector of zeros, which no query is near to,',
  large: 'a vector longer than 1e18, which leaves float32,',
} as const;

function faultOf(vector: unknown, dimensions: number): string | undefined {
  if (!isVector(vector) || vector.length === 0) return 'no vector';
  if (vector.length !== dimensions) return `a vector of ${vector.length} dimensions beside one of ${dimensions}`;
  return isFiniteVector(vector) ? undefined : 'a vector with NaN or an infinity';
}

/** What a model gave for documents: one finite vector each, all of one length, none that the metric cannot compare; else a `BatchError`,
 * before anything is written. */
export function checkEmbedded(
  documents: readonly Document[],
  vectors: readonly Float32Array[],
  metric: VectorMetric,
): void {
  const dimensions = vectors[0]?.length ?? 0;
  const faulty: string[] = [];
  let fault: string | undefined;
  for (const [index, document] of documents.entries()) {
    const found = faultOf(vectors[index], dimensions) ?? metricFault(metric, vectors[index]);
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

function metricFault(metric: VectorMetric, vector: Float32Array | undefined): string | undefined {
  const fault = vector && vectorFault(metric, vector);
  return fault && FAULTS[fault];
}

/** Throws for a query that the metric cannot measure. One of zeros is near to nothing, and the store's matter. */
export function checkLength(vector: Float32Array, metric: VectorMetric): void {
  if (vectorFault(metric, vector) === 'large')
    throw invalidArgument('vector', 'is longer than 1e18 and would leave float32: scale it down');
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
