import type { VectorMetric } from './vector-store-capabilities.js';
import { norm } from './vector-sums.js';

/** Beyond it inner products and squared distances leave float32. */
const LARGEST_NORM = 1e18;

/**
 * Why a vector cannot be stored or searched with under the metric, or undefined. `embed` and `queryVector` of `ObservedVectorStore` refuse
 * what is faulty, but for a query of zeros under cosine, which is near to nothing: a store answers it with an empty list.
 */
export function vectorFault(metric: VectorMetric, vector: Float32Array): 'zero' | 'large' | undefined {
  const length = norm(vector);
  if (metric !== 'cosine') return length > LARGEST_NORM ? 'large' : undefined;
  return length === 0 ? 'zero' : undefined;
}
