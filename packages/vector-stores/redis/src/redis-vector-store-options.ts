import type { ObservedVectorStoreOptions, VectorMetric } from '@vernal/vector-store';
import type { RedisClient } from './redis-client.js';
import type { RedisMetadataField, RedisTextScorer } from './redis-settings.js';

/** Needs `client`, and the model that embeds documents and queries. Defaults are those of Spring AI where it has them. */
export interface RedisVectorStoreOptions extends ObservedVectorStoreOptions {
  /** A `Redis` or `Cluster` of `ioredis`. Yours: the store never closes it. Without `keyPrefix`, which the query engine does not know. */
  readonly client: RedisClient;
  /** Default 'spring-ai-index'. */
  readonly index?: string | undefined;
  /** What the key of every document starts with, before its id. Default 'embedding:'. On a cluster with a hash tag: '{docs}:'. */
  readonly prefix?: string | undefined;
  /**
   * Default 'none': the index is there. 'create' makes it when it is missing, then validates; 'validate' looks whether it has the fields,
   * the metric and the dimensions. Once, before the first operation, or by `initialize()`.
   */
  readonly initializeSchema?: 'create' | 'validate' | 'none' | undefined;
  /** Default 'HNSW'. 'FLAT' is exact, and slower from some ten thousand documents on. */
  readonly algorithm?: 'HNSW' | 'FLAT' | undefined;
  /** Default 'cosine'. */
  readonly metric?: VectorMetric | undefined;
  /** Of the index, when it is made. Default: the model's. */
  readonly dimensions?: number | undefined;
  /** Defaults m 16, efConstruction 200; efRuntime 10, of each search, at least `topK`. */
  readonly hnsw?: { readonly m?: number; readonly efConstruction?: number; readonly efRuntime?: number } | undefined;
  /**
   * Metadata keys that get a field of their own in the index. Filters work on every key without; 'numeric' lets the engine answer `<` and
   * `>` by itself, 'text' is searched by keyword too, 'tag' is for other clients of the index. Default none.
   */
  readonly metadataFields?: readonly RedisMetadataField[] | undefined;
  /** Language whose words the keyword search brings to their stems: 'english', or any that the engine knows. Default none. */
  readonly language?: string | undefined;
  /** Ranking of the keyword search. Default 'BM25STD'. */
  readonly textScorer?: RedisTextScorer | undefined;
  /** Documents a transaction, 1 to 10,000, and a delete; the server does nothing else meanwhile. Default 200. */
  readonly maxBatch?: number | undefined;
  /** Milliseconds until a command is given up as 'timeout'. Default 30,000. */
  readonly timeoutMs?: number | undefined;
}
