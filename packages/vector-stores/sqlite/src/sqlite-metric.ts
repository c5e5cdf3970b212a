import type { VectorMetric } from '@vernal/vector-store';
import { roundScore } from '@vernal/vector-store';
import type { SqliteFragment } from './sqlite-filter.js';
import { fragment } from './sqlite-filter.js';

/** The distance that a search orders by, with what turns the engine's number into that of the port. */
export interface SqliteDistance {
  readonly sql: SqliteFragment;
  distance(measure: number): number;
  score(measure: number): number;
}

/** Squares of what is shorter or longer leave float32, in which sqlite-vec adds them up. */
const SAFE_LENGTHS = { least: 1e-9, most: 1e18 };

/**
 * sqlite-vec has no inner product: it is the cosine times both lengths, and a length is the distance from the origin.
 *
 * Source: https://alexgarcia.xyz/sqlite-vec/api-reference.html, distance functions.
 */
export function distanceTo(metric: VectorMetric, query: Float32Array): SqliteDistance {
  const length = norm(query);
  const unit = vectorBytes(length === 0 ? query : scaled(query, 1 / length));
  switch (metric) {
    case 'euclidean':
      return {
        sql: fragment('vec_distance_L2(v.embedding, ?)', vectorBytes(query)),
        distance: (measure) => measure,
        score: (measure) => roundScore(metric, 1 / (1 + measure)),
      };
    case 'cosine':
      return {
        sql: fragment('vec_distance_cosine(v.embedding, ?)', unit),
        distance: (measure) => measure,
        score: (measure) => roundScore(metric, 1 - measure),
      };
    case 'dot':
      return {
        sql: fragment(
          'coalesce((vec_distance_cosine(v.embedding, ?) - 1) * vec_distance_L2(v.embedding, ?), 0.0)',
          unit,
          new Uint8Array(query.length * Float32Array.BYTES_PER_ELEMENT),
        ),
        distance: (measure) => measure * length,
        score: (measure) => roundScore(metric, 0 - measure * length),
      };
  }
}

/** As it is stored. Cosine keeps directions: what is too short or too long to be measured gets length 1. */
export function storedVector(metric: VectorMetric, vector: Float32Array): Float32Array {
  if (metric !== 'cosine') return vector;
  const length = norm(vector);
  return length >= SAFE_LENGTHS.least && length <= SAFE_LENGTHS.most ? vector : scaled(vector, 1 / length);
}

/** The little-endian float32 of sqlite-vec; every platform that it is built for has them so. */
export function vectorBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** A blob as a driver gives it: libsql an ArrayBuffer, the others bytes that may lie anywhere in a larger one. */
export function vectorOf(blob: ArrayBuffer | Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(new Uint8Array(blob)).buffer);
}

function scaled(vector: Float32Array, factor: number): Float32Array {
  return vector.map((value) => value * factor);
}

function norm(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}
