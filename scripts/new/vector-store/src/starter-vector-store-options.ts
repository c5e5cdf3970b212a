import type { ObservedVectorStoreOptions, VectorMetric } from '@vernal/vector-store';
import type { StarterClient } from './starter-client.js';

/** Needs `client`, and the model that embeds documents and queries. */
export interface StarterVectorStoreOptions extends ObservedVectorStoreOptions {
  /** Yours: the store never closes it. */
  readonly client: StarterClient;
  /** Default 'vector_store'. */
  readonly collection?: string | undefined;
  /** Default 'none': the collection is there. 'create' makes it when it is missing, before the first operation or by `initialize()`. */
  readonly initializeSchema?: 'create' | 'none' | undefined;
  /** Default 'cosine'. */
  readonly metric?: VectorMetric | undefined;
  /** Of the vectors, when the collection is made. Default: the model's. */
  readonly dimensions?: number | undefined;
  /** Documents a write, all or nothing. Default 1,000. */
  readonly maxBatch?: number | undefined;
}
