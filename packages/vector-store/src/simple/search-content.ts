import { diversify } from '../store/mmr.js';
import { fusionDepth } from '../store/reciprocal-rank-fusion.js';
import type { ResolvedSearchRequest } from '../store/search-request.js';
import type { VectorMetric } from '../store/vector-store-capabilities.js';
import { fuse, searchKeywords } from './keyword-search.js';
import type { StoreContent } from './store-content.js';
import type { Hit } from './vector-search.js';
import { searchVectors } from './vector-search.js';

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
  const depth = fusionDepth(limit);
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
  return diversify(withVectors, { topK, lambda: mmr.lambda, metric });
}
