import type { Document } from '@vernal/core';
import { isFiniteVector } from '../store/vector-check.js';
import type { VectorMetric } from '../store/vector-store-capabilities.js';
import type { StoreContent } from './store-content.js';
import { DAMAGED, storeRead } from './store-read-error.js';
import { storedVector, vectorFault } from './vector-score.js';

/** What the store that reads is like. */
export interface ContentExpectation {
  readonly metric: VectorMetric;
  /** Undefined where it is not known. */
  readonly dimensions: number | undefined;
  /** The name of the embedding model; undefined where it is not known. */
  readonly model: string | undefined;
}

/** Vectors of two models may have one length, and then scores would mean nothing. */
export function checkModel(model: string | undefined, expected: string | undefined): void {
  if (model === undefined || expected === undefined || model === expected) return;
  throw storeRead(
    `it was written with the embedding model '${model}', and this store has '${expected}'`,
    `Make the store with '${model}', or ingest the documents again with '${expected}'`,
    undefined,
    { givenModel: expected, heldModel: model },
  );
}

export function checkDimensions(dimensions: number, expected: number | undefined): void {
  if (expected === undefined || expected === dimensions) return;
  throw storeRead(
    `it holds vectors of ${dimensions} dimensions where ${expected} are wanted`,
    'Load it with the embedding model it was written with, or ingest the documents again with this one',
    undefined,
    { given: expected, held: dimensions },
  );
}

/** Documents with the vectors that were read for them, checked as if they came from a model. */
export function putChecked(
  content: StoreContent,
  documents: readonly Document[],
  vectors: readonly Float32Array[],
  metric: VectorMetric,
): void {
  for (const [index, vector] of vectors.entries()) {
    const place = `vector ${content.size + index + 1}`;
    if (!isFiniteVector(vector)) throw storeRead(`${place} holds NaN or an infinity`, DAMAGED);
    const fault = vectorFault(metric, vector);
    if (fault !== undefined) throw storeRead(`${place} is ${fault === 'zero' ? 'all zeros' : 'too long'}`, DAMAGED);
  }
  content.put(
    documents,
    vectors.map((vector) => storedVector(metric, vector)),
  );
}
