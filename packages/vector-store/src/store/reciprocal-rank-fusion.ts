/** The constant that the authors found to work for everything. */
const FUSION_K = 60;
/** Hits of each list that a hybrid search joins, at least. */
const LEAST_DEPTH = 50;

/** All may be left out. */
export interface RankFusionOptions {
  /** The higher, the less the first places count more than the next. Above -1; default 60. */
  readonly k?: number | undefined;
  /** How much each list counts, 0 or more. Default 1 each. */
  readonly weights?: readonly number[] | undefined;
}

/** How many hits of each list to join for `limit` results. Deeper than asked for: what is tenth in both lists may be first of all. */
export function fusionDepth(limit: number): number {
  return Math.min(Math.max(limit * 2, LEAST_DEPTH), Number.MAX_SAFE_INTEGER);
}

/**
 * Reciprocal rank fusion: what stands high in several lists stands highest. Takes lists of ids, best first, and gives the score of each
 * id, in the order of first appearance: the sum of weight / (k + rank), as a share of the best possible, so being first in all lists is 1.
 *
 * Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009.
 */
export function reciprocalRankFusion(
  lists: readonly (readonly string[])[],
  { k = FUSION_K, weights }: RankFusionOptions = {},
): Map<string, number> {
  const weightOf = (list: number): number => weights?.[list] ?? 1;
  let total = 0;
  for (const list of lists.keys()) total += weightOf(list);
  const sums = new Map<string, number>();
  for (const [at, list] of lists.entries()) {
    for (const [rank, id] of list.entries()) {
      const share = total === 0 ? 0 : (((k + 1) / (k + 1 + rank)) * weightOf(at)) / total;
      sums.set(id, (sums.get(id) ?? 0) + share);
    }
  }
  return sums;
}
