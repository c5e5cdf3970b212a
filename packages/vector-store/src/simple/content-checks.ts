import type { Document } from '@vernal/core';
import { isFiniteVector } from '../store/vector-check.js';
import { vectorFault } from '../store/vector-fault.js';
import type { VectorMetric } from '../store/vector-store-capabilities.js';
import type { StoreContent } from './store-content.js';
import { DAMAGED, storeRead } from './store-read-error.js';
import { storedVector } from './vector-score.js';

/** What the store that reads is like. */
export interface ContentExpectation {
  readonly metric: VectorMetric;
  /** Undefined where it is not known. */
  readonly dimensions: number | undefined;
  /** The name of the embedding model; undefined where it is not known. */
  readonly model: string | undefined;
  readonly provider: string;
}

/** What a file says of the model that made its vectors. */
export interface ContentModel {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}

/** Vectors of two models may have one length, and then scores would mean nothing. */
export function checkModel({ provider, model }: ContentModel, expected: ContentExpectation): void {
  if (model === undefined || expected.model === undefined || model === expected.model) return;
  throw storeRead(
    `it was written with the embedding model '${model}', and this store has '${expected.model}'`,
    `Make the store with '${model}', or ingest the documents again with '${expected.model}'`,
    undefined,
    modelDetails({ provider, model }, expected),
  );
}

/** Names of both models, as far as they are known. */
function modelDetails(held: ContentModel, expected: ContentExpectation): Readonly<Record<string, string>> {
  return {
    givenProvider: expected.provider,
    ...(expected.model !== undefined && { givenModel: expected.model }),
    ...(held.provider !== undefined && { heldProvider: held.provider }),
    ...(held.model !== undefined && { heldModel: held.model }),
  };
}

export function checkDimensions(dimensions: number, expected: ContentExpectation, held: ContentModel = {}): void {
  if (expected.dimensions === undefined || expected.dimensions === dimensions) return;
  throw storeRead(
    `it holds vectors of ${dimensions} dimensions where ${expected.dimensions} are wanted`,
    'Load it with the embedding model it was written with, or ingest the documents again with this one',
    undefined,
    { given: expected.dimensions, held: dimensions, ...modelDetails(held, expected) },
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
