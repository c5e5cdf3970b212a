import type { VectorMetric } from '../store/vector-store-capabilities.js';
import { dot, norm, squaredDistance } from './plain-vector-sums.js';

/** A hit as callers see it. Higher scores are nearer; `distance` is the metric's own. */
export interface VectorScore {
  readonly score: number;
  readonly distance: number;
}

/** Vectors are float32: what lies beyond its seven digits is noise, and a threshold of 0.8 has to keep what is 0.8 on paper. */
function rounded(value: number): number {
  return Number(value.toPrecision(7));
}

/** Cosine similarity has a fixed scale, so its noise has a fixed size. */
function roundedCosine(value: number): number {
  return Math.round(Math.max(-1, Math.min(1, value)) * 1e6) / 1e6;
}

/** Of two stored vectors, in double precision: cosine similarity or inner product, or 1 / (1 + Euclidean distance). */
export function similarityOf(metric: VectorMetric, a: Float32Array, b: Float32Array): number {
  return metric === 'euclidean' ? 1 / (1 + Math.sqrt(squaredDistance(a, b))) : dot(a, b);
}

/** The same as callers see it. */
export function scoreOf(metric: VectorMetric, query: Float32Array, row: Float32Array): VectorScore {
  switch (metric) {
    case 'cosine': {
      const score = roundedCosine(dot(query, row));
      return { score, distance: rounded(1 - score) };
    }
    case 'dot': {
      const score = rounded(dot(query, row));
      return { score, distance: score === 0 ? 0 : -score };
    }
    case 'euclidean': {
      const distance = Math.sqrt(squaredDistance(query, row));
      return { score: rounded(1 / (1 + distance)), distance: rounded(distance) };
    }
  }
}

/** Beyond it inner products and squared distances leave float32. */
const LARGEST_NORM = 1e18;

/** Why a vector cannot be stored or searched with under the metric, or undefined. */
export function vectorFault(metric: VectorMetric, vector: Float32Array): 'zero' | 'large' | undefined {
  const length = norm(vector);
  if (metric !== 'cosine') return length > LARGEST_NORM ? 'large' : undefined;
  return length === 0 ? 'zero' : undefined;
}

/** Above what rounding to float32 leaves of length 1, below what scores show. */
const UNIT_TOLERANCE = 1e-7;

/**
 * As it is stored: unit length for cosine, so that its similarity is an inner product. What has that length is left as it is, so that
 * saving and loading changes no bit.
 */
export function storedVector(metric: VectorMetric, vector: Float32Array): Float32Array {
  if (metric !== 'cosine') return vector;
  const length = norm(vector);
  if (Math.abs(length - 1) < UNIT_TOLERANCE) return vector;
  const unit = new Float32Array(vector.length);
  for (let i = 0; i < unit.length; i++) unit[i] = (vector[i] ?? 0) / length;
  return unit;
}
