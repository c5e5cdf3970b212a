import type { TokenCountEstimator } from '@vernal/core';
import { invalidArgument } from '@vernal/core';

/** How long chunks are. */
export interface ChunkSizeOptions {
  /** The most a chunk has: tokens with an `estimator`, else characters (UTF-16 units). Default 800 tokens, or 2,000 characters. */
  readonly chunkSize?: number | undefined;
  /** What a chunk repeats from the end of the one before, in whole units and never more than half of it; below `chunkSize`. Default 0. */
  readonly overlap?: number | undefined;
  /** Counts tokens as the model in use does, such as what `loadTokenCountEstimator` of `@vernal/tokenizer` gives. */
  readonly estimator?: TokenCountEstimator | undefined;
  /** Default true. */
  readonly copyContentFormatter?: boolean | undefined;
}

/** Options that were checked, with their defaults. */
export interface ChunkSize {
  readonly chunkSize: number;
  readonly overlap: number;
  readonly measure: (text: string) => number;
}

/** @throws VernalError `invalid_argument` */
export function chunkSizeOf({ estimator, overlap = 0, ...options }: ChunkSizeOptions): ChunkSize {
  if (estimator !== undefined && typeof estimator.count !== 'function')
    throw invalidArgument('estimator', 'must have count(text)');
  const { chunkSize = estimator === undefined ? 2000 : 800 } = options;
  if (!Number.isSafeInteger(chunkSize) || chunkSize < 1)
    throw invalidArgument('chunkSize', 'must be a whole number, at least 1');
  if (!Number.isSafeInteger(overlap) || overlap < 0 || overlap >= chunkSize)
    throw invalidArgument('overlap', 'must be a whole number of at least 0, below chunkSize');
  return {
    chunkSize,
    overlap,
    measure: estimator === undefined ? (text) => text.length : (text) => estimator.count(text),
  };
}
