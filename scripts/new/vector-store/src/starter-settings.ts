import { invalidArgument } from '@vernal/core';
import type { VectorMetric } from '@vernal/vector-store';
import type { StarterVectorStoreOptions } from './starter-vector-store-options.js';

/** Options, checked, with defaults. */
export interface StarterSettings {
  readonly collection: string;
  readonly initializeSchema: 'create' | 'none';
  readonly metric: VectorMetric;
  readonly dimensions: number | undefined;
  readonly maxBatch: number;
}

export function starterSettings(options: StarterVectorStoreOptions): StarterSettings {
  const { collection = 'vector_store', initializeSchema = 'none', metric = 'cosine', maxBatch = 1000 } = options;
  const { dimensions } = options;
  if (typeof options.client !== 'object' || options.client === null)
    throw invalidArgument('client', 'is missing: give a connection');
  if (collection === '') throw invalidArgument('collection', 'must be a name');
  oneOf(initializeSchema, ['create', 'none'], 'initializeSchema');
  oneOf(metric, ['cosine', 'euclidean', 'dot'], 'metric');
  if (dimensions !== undefined) positive(dimensions, 'dimensions');
  positive(maxBatch, 'maxBatch');
  return { collection, initializeSchema, metric, dimensions, maxBatch };
}

function oneOf(value: string, allowed: readonly string[], subject: string): void {
  if (!allowed.includes(value)) throw invalidArgument(subject, `must be one of ${allowed.join(', ')}`);
}

function positive(value: number, subject: string): void {
  if (!Number.isSafeInteger(value) || value < 1) throw invalidArgument(subject, 'must be a whole number above 0');
}
