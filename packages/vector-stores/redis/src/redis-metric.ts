import type { VectorMetric } from '@vernal/vector-store';
import { roundScore } from '@vernal/vector-store';

/** How the query engine measures one metric. */
export interface RedisMetric {
  /** Value of DISTANCE_METRIC. */
  readonly name: 'COSINE' | 'L2' | 'IP';
  /** From the engine's distance to the score of the port. */
  score(distance: number): number;
}

/**
 * The engine gives 1 - cosine, the square of the Euclidean distance, and 1 - inner product.
 * Source: https://redis.io/docs/latest/develop/ai/search-and-query/vectors/, the part on distance metrics.
 */
export const REDIS_METRICS: Readonly<Record<VectorMetric, RedisMetric>> = {
  cosine: { name: 'COSINE', score: (distance) => roundScore('cosine', 1 - distance) },
  euclidean: { name: 'L2', score: (distance) => roundScore('euclidean', 1 / (1 + Math.sqrt(Math.max(0, distance)))) },
  dot: { name: 'IP', score: (distance) => roundScore('dot', 1 - distance) },
};
