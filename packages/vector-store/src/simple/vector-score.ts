import { roundScore, sevenDigits } from '../store/round-score.js';
import { unitVector } from '../store/unit-vector.js';
import type { VectorMetric } from '../store/vector-store-capabilities.js';
import { dot, squaredDistance } from '../store/vector-sums.js';

/** A hit as callers see it. Higher scores are nearer; `distance` is the metric's own. */
export interface VectorScore {
  readonly score: number;
  readonly distance: number;
}

/** Of a query and a stored row, in double precision. */
export function scoreOf(metric: VectorMetric, query: Float32Array, row: Float32Array): VectorScore {
  switch (metric) {
    case 'cosine': {
      const score = roundScore(metric, dot(query, row));
      return { score, distance: sevenDigits(1 - score) };
    }
    case 'dot': {
      const score = roundScore(metric, dot(query, row));
      return { score, distance: score === 0 ? 0 : -score };
    }
    case 'euclidean': {
      const distance = Math.sqrt(squaredDistance(query, row));
      return { score: roundScore(metric, 1 / (1 + distance)), distance: sevenDigits(distance) };
    }
  }
}

/** As it is stored: unit length for cosine, so that its similarity is an inner product. */
export function storedVector(metric: VectorMetric, vector: Float32Array): Float32Array {
  return metric === 'cosine' ? unitVector(vector) : vector;
}
