import type { ResolvedSearchRequest } from '../store/search-request.js';
import type { VectorMetric } from '../store/vector-store-capabilities.js';
import { fuse, searchKeywords } from './keyword-search.js';
import { diversify } from './mmr.js';
import type { StoreContent } from './store-content.js';
import { similarityOf } from './vector-score.js';
import type { Hit } from './vector-search.js';
import { searchVectors } from './vector-search.js';

/** Hits of each list that a hybrid search joins, at least. */
const HYBRID_DEPTH = 50;

/** `vector` is that of the query; a keyword search has none. */
function candidates(
  content: StoreContent,
  metric: VectorMetric,
  { query, filter, mode, topK, mmr }: ResolvedSearchRequest,
  vector: Float32Array | undefined,
): Hit[] {
  const limit = mmr?.fetchK ?? topK;
  if (vector === undefined) return searchKeywords(content, query, limit, filter);
  if (mode === 'vector') return searchVectors(content, metric, vector, limit, filter);
  // Deeper than asked for: what is tenth in both lists may be first of all.
  const depth = Math.max(limit * 2, HYBRID_DEPTH);
  const lists = [searchVectors(content, metric, vector, depth, filter), searchKeywords(content, query, depth, filter)];
  return fuse(content, lists, limit);
}

/** What a request finds, in the order it is given out. */
export function searchContent(
  content: StoreContent,
  metric: VectorMetric,
  request: ResolvedSearchRequest,
  vector: Float32Array | undefined,
): Hit[] {
  const { similarityThreshold, topK, mmr } = request;
  const hits = candidates(content, metric, request, vector).filter(
    ({ score }) => similarityThreshold === 0 || score >= similarityThreshold,
  );
  if (mmr === undefined) return hits;
  const withVectors = hits.map((hit) => ({ ...hit, vector: content.rows?.row(hit.row) ?? new Float32Array(0) }));
  return diversify(withVectors, topK, mmr.lambda, (a, b) => similarityOf(metric, a, b));
}
