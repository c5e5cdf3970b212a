import type { FilterExpression } from '../filter/filter-expression.js';
import type { NormalFilter } from '../filter/normalize-filter.js';
import type { SearchMode, VectorStoreCapabilities } from './vector-store-capabilities.js';

export interface SearchRequest {
  readonly query: string;
  /** In place of embedding `query`. */
  readonly vector?: Float32Array | undefined;
  /** Default 4; an integer > 0. */
  readonly topK?: number | undefined;
  /** Keeps scores >= it. Default none: 0 and undefined keep all. */
  readonly similarityThreshold?: number | undefined;
  readonly filterExpression?: string | FilterExpression | undefined;
  /** Default 'vector'. */
  readonly mode?: SearchMode | undefined;
  /** Maximal marginal relevance over `fetchK` (default 4 * topK); `lambda` 1 is relevance only (default 0.5). */
  readonly mmr?: { readonly lambda?: number | undefined; readonly fetchK?: number | undefined } | undefined;
}

/** Checked, parsed, defaults filled in: what an adapter searches with. */
export interface ResolvedSearchRequest {
  readonly query: string;
  readonly vector?: Float32Array;
  readonly topK: number;
  readonly similarityThreshold: number;
  readonly filter?: NormalFilter;
  readonly mode: SearchMode;
  readonly mmr?: { readonly lambda: number; readonly fetchK: number };
}

/** Throws `invalid_argument`, `filter_parse` or `unsupported_capability`. */
export declare function resolveSearchRequest(
  request: string | SearchRequest,
  capabilities: VectorStoreCapabilities,
): ResolvedSearchRequest;
