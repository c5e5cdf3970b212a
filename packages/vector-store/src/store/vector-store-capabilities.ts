import type { FilterOperator } from '../filter/filter-expression.js';

/** By nearness of vectors, by words, or by both. */
export type SearchMode = 'vector' | 'keyword' | 'hybrid';

/** How raw distance becomes score: cosine similarity itself (-1 to 1), the inner product as it is, Euclid 1 / (1 + distance). */
export type VectorMetric = 'cosine' | 'dot' | 'euclidean';

/** Plain data. The suite checks both ways: what is declared works, what is not is refused with `UnsupportedCapabilityError`. */
export interface VectorStoreCapabilities {
  /** Of the normal tree; NOT never reaches a store. */
  readonly filterOperators: readonly FilterOperator[];
  readonly deleteByFilter: boolean;
  /** `delete` says how many. */
  readonly deleteCount: boolean;
  readonly modes: readonly SearchMode[];
  readonly mmr: boolean;
  /** Documents with media, through a `DocumentEmbeddingModel`. */
  readonly media: boolean;
  readonly metric: VectorMetric;
  /** Documents a write to the engine; larger adds are cut, each part all or nothing. */
  readonly maxBatch?: number;
  /** 'strong': the next search finds what was written. 'eventual': a later one does. Default 'strong'. */
  readonly consistency?: 'strong' | 'eventual';
}
