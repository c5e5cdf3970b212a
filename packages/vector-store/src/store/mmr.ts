import { unitVector } from './unit-vector.js';
import type { VectorMetric } from './vector-store-capabilities.js';
import { dot, squaredDistance } from './vector-sums.js';

/** A candidate of a search, best first, with its vector. */
export interface MmrCandidate {
  readonly score: number;
  readonly vector: Float32Array;
}

/** What is chosen: at most `topK`, on a scale from `lambda` 1, relevance only, to 0, difference only. */
export interface MmrChoice {
  readonly topK: number;
  readonly lambda: number;
  readonly metric: VectorMetric;
}

/**
 * Maximal marginal relevance: takes, one by one, what is most like the query and least like what was taken before. For stores that can
 * hand out the vectors of `fetchK` hits.
 *
 * Source: Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking", SIGIR 1998.
 */
export function diversify<T extends MmrCandidate>(candidates: readonly T[], { topK, lambda, metric }: MmrChoice): T[] {
  const direction = metric === 'cosine' ? unitVector : (vector: Float32Array) => vector;
  const rest = new Map(
    candidates.map((candidate) => [
      candidate,
      { vector: direction(candidate.vector), nearest: Number.NEGATIVE_INFINITY },
    ]),
  );
  const chosen: T[] = [];
  while (chosen.length < topK && rest.size > 0) {
    let best: T | undefined;
    let bestValue = Number.NEGATIVE_INFINITY;
    for (const [candidate, { nearest }] of rest) {
      const penalty = chosen.length === 0 ? 0 : (1 - lambda) * nearest;
      const value = lambda * candidate.score - penalty;
      if (best === undefined || value > bestValue) {
        best = candidate;
        bestValue = value;
      }
    }
    const taken = best && rest.get(best);
    if (best === undefined || taken === undefined) break;
    chosen.push(best);
    rest.delete(best);
    for (const other of rest.values())
      other.nearest = Math.max(other.nearest, similarityOf(metric, taken.vector, other.vector));
  }
  return chosen;
}

/** In double precision: inner product, which is cosine similarity for unit vectors, or 1 / (1 + Euclidean distance). */
function similarityOf(metric: VectorMetric, a: Float32Array, b: Float32Array): number {
  return metric === 'euclidean' ? 1 / (1 + Math.sqrt(squaredDistance(a, b))) : dot(a, b);
}
