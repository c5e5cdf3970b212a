export { compileFilter, evaluateFilter } from './filter/evaluate-filter.js';
export type { FilterBuilder } from './filter/filter-builder.js';
export { filter } from './filter/filter-builder.js';
export type {
  FilterComparison,
  FilterExpression,
  FilterInput,
  FilterKey,
  FilterNode,
  FilterOperator,
  FilterScalar,
} from './filter/filter-expression.js';
export type { SqlFragment } from './filter/filter-expression-converter.js';
export { FilterExpressionConverter } from './filter/filter-expression-converter.js';
export { EVERY_OPERATOR } from './filter/filter-operators.js';
export { FilterParseError } from './filter/filter-parse-error.js';
export type { NormalFilter } from './filter/normalize-filter.js';
export { normalizeFilter } from './filter/normalize-filter.js';
export type { ParseFilterOptions } from './filter/parse-filter.js';
export { parseFilter } from './filter/parse-filter.js';
export { printFilter } from './filter/print-filter.js';
export { validateFilter } from './filter/validate-filter.js';
export type { Bm25Hit, Bm25Options, Bm25Search } from './keywords/bm25-index.js';
export { Bm25Index } from './keywords/bm25-index.js';
export { wordsOf } from './keywords/words.js';
export type { HnswOptions } from './simple/hnsw-options.js';
export type { SimpleVectorStoreOptions } from './simple/simple-vector-store.js';
export { SimpleVectorStore } from './simple/simple-vector-store.js';
export type { MmrCandidate, MmrChoice } from './store/mmr.js';
export { diversify } from './store/mmr.js';
export type {
  ObservedVectorStoreOptions,
  StoreContext,
  VectorStoreDescription,
} from './store/observed-vector-store.js';
export { ObservedVectorStore } from './store/observed-vector-store.js';
export type { RankFusionOptions } from './store/reciprocal-rank-fusion.js';
export { fusionDepth, reciprocalRankFusion } from './store/reciprocal-rank-fusion.js';
export { requireDimensions } from './store/require-dimensions.js';
export { roundScore } from './store/round-score.js';
export type { ResolvedSearchRequest, SearchRequest } from './store/search-request.js';
export { resolveSearchRequest } from './store/search-request.js';
export { vectorFault } from './store/vector-fault.js';
export type { DeleteResult, DeleteTarget, VectorStore, VectorStoreRetriever } from './store/vector-store.js';
export type { SearchMode, VectorMetric, VectorStoreCapabilities } from './store/vector-store-capabilities.js';
