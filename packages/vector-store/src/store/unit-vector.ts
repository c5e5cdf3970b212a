import { norm } from './vector-sums.js';

/** Above what rounding to float32 leaves of length 1, below what scores show. */
const UNIT_TOLERANCE = 1e-7;

/**
 * The same direction with length 1. What has that length is given back as it is, so that saving and loading changes no bit; and so are
 * zeros, which have no direction.
 */
export function unitVector(vector: Float32Array): Float32Array {
  const length = norm(vector);
  if (length === 0 || Math.abs(length - 1) < UNIT_TOLERANCE) return vector;
  const unit = new Float32Array(vector.length);
  for (let i = 0; i < unit.length; i++) unit[i] = (vector[i] ?? 0) / length;
  return unit;
}
