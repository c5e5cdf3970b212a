import type { Document } from '@vernal/core';
import type { NormalFilter } from '../filter/normalize-filter.js';
import { vectorFault } from '../store/vector-fault.js';
import type { VectorMetric } from '../store/vector-store-capabilities.js';
import type { StoreContent } from './store-content.js';
import { TopRows } from './top-rows.js';
import type { VectorSum } from './vector-kernel.js';
import type { VectorRows } from './vector-rows.js';
import type { VectorScore } from './vector-score.js';
import { scoreOf, storedVector } from './vector-score.js';

/** A document that was found, with its row. */
export interface Hit extends VectorScore {
  readonly document: Document;
  readonly row: number;
}

/** The kernel's float32 sums may swap near ties: a few more than asked for are scored exactly, so that none is lost at the end. */
const SPARE = 8;

/** What the kernel computes for a metric. */
export function sumOf(metric: VectorMetric): VectorSum {
  return metric === 'euclidean' ? 'squaredDistance' : 'dot';
}

/** A few more than `limit`, in no order; of all rows, or of those that are named. */
function nearestRows(
  rows: VectorRows,
  metric: VectorMetric,
  query: Float32Array,
  limit: number,
  named: Uint32Array | undefined,
): readonly number[] {
  if (named?.length === 0) return [];
  const top = new TopRows(limit + SPARE);
  const sign = metric === 'euclidean' ? -1 : 1;
  rows.score(sumOf(metric), query, named, (scores, first, count) => top.offerAll(scores, first, count, sign));
  return named === undefined ? top.rows() : top.rows().map((position) => named[position] ?? 0);
}

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
  const indexed = content.index?.search(query, limit, matching);
  const coded =
    matching === undefined && indexed === undefined
      ? content.codes?.candidates(sumOf(metric), query, content.size, limit + SPARE)
      : undefined;
  const near =
    indexed === undefined
      ? nearestRows(rows, metric, query, limit, matching ?? coded)
      : [...indexed.rows, ...nearestRows(rows, metric, query, limit, indexed.others)];
  const hits: Hit[] = [];
  for (const row of near) {
    const document = content.document(row);
    if (document !== undefined) hits.push({ document, row, ...scoreOf(metric, query, rows.row(row)) });
  }
  return hits.sort((a, b) => b.score - a.score || a.row - b.row).slice(0, limit);
}
