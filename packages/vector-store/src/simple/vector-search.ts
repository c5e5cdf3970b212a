import type { Document } from '@vernal/core';
import type { NormalFilter } from '../filter/normalize-filter.js';
import type { VectorMetric } from '../store/vector-store-capabilities.js';
import type { StoreContent } from './store-content.js';
import { TopRows } from './top-rows.js';
import type { VectorScore } from './vector-score.js';
import { scoreOf, storedVector, vectorFault } from './vector-score.js';

/** A document that was found, with its row. */
export interface Hit extends VectorScore {
  readonly document: Document;
  readonly row: number;
}

/** The kernel's float32 sums may swap near ties: a few more than asked for are scored exactly, so that none is lost at the end. */
const SPARE = 8;

/** Best first. A query without direction is near to nothing: no hits. */
export function searchVectors(
  content: StoreContent,
  metric: VectorMetric,
  given: Float32Array,
  limit: number,
  filter: NormalFilter | undefined,
): Hit[] {
  const { rows } = content;
  if (rows === undefined || content.size === 0 || vectorFault(metric, given) !== undefined) return [];
  const query = storedVector(metric, given);
  const matching = filter === undefined ? undefined : content.matching(filter);
  const top = new TopRows(limit + SPARE);
  const sign = metric === 'euclidean' ? -1 : 1;
  rows.score(metric === 'euclidean' ? 'squaredDistance' : 'dot', query, matching, (scores, first, count) =>
    top.offerAll(scores, first, count, sign),
  );
  const hits: Hit[] = [];
  for (const position of top.rows()) {
    const row = matching === undefined ? position : (matching[position] ?? 0);
    const document = content.document(row);
    if (document !== undefined) hits.push({ document, row, ...scoreOf(metric, query, rows.row(row)) });
  }
  return hits.sort((a, b) => b.score - a.score || a.row - b.row).slice(0, limit);
}
