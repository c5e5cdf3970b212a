import { compileNormalFilter } from '../filter/evaluate-filter.js';
import type { NormalFilter } from '../filter/normalize-filter.js';
import type { StoreContent } from './store-content.js';
import type { Hit } from './vector-search.js';

/** The constant of reciprocal rank fusion that its authors found to work for everything. */
const FUSION_K = 60;

function best(content: StoreContent, scores: Iterable<readonly [string, number]>, limit: number): Hit[] {
  const hits: Hit[] = [];
  for (const [id, score] of scores) {
    const row = content.rowOf(id);
    const document = row === undefined ? undefined : content.document(row);
    if (row !== undefined && document !== undefined) hits.push({ document, row, score, distance: 1 - score });
  }
  return hits.sort((a, b) => b.score - a.score || a.row - b.row).slice(0, limit);
}

/** By BM25, best first; scores are brought into 0 to 1 by s / (1 + s), which keeps their order. */
export function searchKeywords(
  content: StoreContent,
  query: string,
  limit: number,
  filter: NormalFilter | undefined,
): Hit[] {
  const test = filter === undefined ? undefined : compileNormalFilter(filter);
  const scores: [string, number][] = [];
  for (const [id, score] of content.keywords().search(query)) {
    const document = content.document(content.rowOf(id) ?? -1);
    if (document !== undefined && (test === undefined || test(document.metadata)))
      scores.push([id, score / (1 + score)]);
  }
  return best(content, scores, limit);
}

/**
 * Reciprocal rank fusion: what stands high in several lists stands highest. Scores are shares of the best possible, so being first in all
 * lists is 1.
 *
 * Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009.
 */
export function fuse(content: StoreContent, lists: readonly (readonly Hit[])[], limit: number): Hit[] {
  const sums = new Map<string, number>();
  for (const list of lists) {
    for (const [rank, { document }] of list.entries()) {
      sums.set(document.id, (sums.get(document.id) ?? 0) + (FUSION_K + 1) / (FUSION_K + 1 + rank) / lists.length);
    }
  }
  return best(content, sums, limit);
}
