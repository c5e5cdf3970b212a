/** A candidate of a search, best first. */
export interface MmrCandidate {
  readonly score: number;
  readonly vector: Float32Array;
}

/**
 * Maximal marginal relevance: takes, one by one, what is most like the query and least like what was taken before.
 * `lambda` 1 is relevance only, 0 is difference only.
 *
 * Source: Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking", SIGIR 1998.
 */
export function diversify<T extends MmrCandidate>(
  candidates: readonly T[],
  count: number,
  lambda: number,
  similarity: (a: Float32Array, b: Float32Array) => number,
): T[] {
  const rest = new Map(candidates.map((candidate) => [candidate, Number.NEGATIVE_INFINITY]));
  const chosen: T[] = [];
  while (chosen.length < count && rest.size > 0) {
    let best: T | undefined;
    let bestValue = Number.NEGATIVE_INFINITY;
    for (const [candidate, nearest] of rest) {
      const penalty = chosen.length === 0 ? 0 : (1 - lambda) * nearest;
      const value = lambda * candidate.score - penalty;
      if (best === undefined || value > bestValue) {
        best = candidate;
        bestValue = value;
      }
    }
    if (best === undefined) break;
    chosen.push(best);
    rest.delete(best);
    for (const [candidate, nearest] of rest) {
      rest.set(candidate, Math.max(nearest, similarity(best.vector, candidate.vector)));
    }
  }
  return chosen;
}
