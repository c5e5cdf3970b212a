import type { NormalFilter } from '../filter/normalize-filter.js';
import { reciprocalRankFusion } from '../store/reciprocal-rank-fusion.js';
import type { StoreContent } from './store-content.js';
import type { Hit } from './vector-search.js';

function best(content: StoreContent, scores: Iterable<readonly [string, number]>, limit: number): Hit[] {
  const hits: Hit[] = [];
  for (const [id, score] of scores) {
    const row = content.rowOf(id);
    const document = row === undefined ? undefined : content.document(row);
    if (row !== undefined && document !== undefined) hits.push({ document, row, score, distance: 1 - score });
  }
  return hits.sort((a, b) => b.score - a.score || a.row - b.row).slice(0, limit);
}

/** The row of an id, where the filter lets it through. */
function rowsThrough(content: StoreContent, filter: NormalFilter): (id: string) => number | undefined {
  const marks = new Uint8Array(content.size);
  for (const row of content.matching(filter)) marks[row] = 1;
  return (id) => {
    const row = content.rowOf(id);
    return row !== undefined && marks[row] === 1 ? row : undefined;
  };
}

/** By BM25, best first; scores are brought into 0 to 1 by s / (1 + s), which keeps their order. */
export function searchKeywords(
  content: StoreContent,
  query: string,
  limit: number,
  filter: NormalFilter | undefined,
): Hit[] {
  const place = filter === undefined ? (id: string) => content.rowOf(id) : rowsThrough(content, filter);
  const found = content.keywords().search(query, { topK: limit, place });
  return best(
    content,
    found.map(({ id, score }) => [id, score / (1 + score)]),
    limit,
  );
}

/** Hits of several lists joined by reciprocal rank fusion. */
export function fuse(content: StoreContent, lists: readonly (readonly Hit[])[], limit: number): Hit[] {
  return best(content, reciprocalRankFusion(lists.map((list) => list.map(({ document }) => document.id))), limit);
}
