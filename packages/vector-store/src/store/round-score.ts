import type { VectorMetric } from './vector-store-capabilities.js';

/** Vectors are float32: what lies beyond its seven digits is noise. */
export function sevenDigits(value: number): number {
  return Number(value.toPrecision(7));
}

/**
 * A score without the noise of float32, so that a threshold of 0.8 keeps what is 0.8 on paper. Cosine similarity has a fixed scale: six
 * decimals between -1 and 1; the other scores have seven digits.
 */
export function roundScore(metric: VectorMetric, score: number): number {
  return metric === 'cosine' ? Math.round(Math.max(-1, Math.min(1, score)) * 1e6) / 1e6 : sevenDigits(score);
}
