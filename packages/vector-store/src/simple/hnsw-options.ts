import { invalidArgument } from '@vernal/core';

/**
 * An approximate index for vector searches of large stores. Exact search reads every vector; this one walks a graph of neighbours, and
 * misses a few of a hundred. It is built after `add` and `load`, some milliseconds at a time, until everything is in it or the store is
 * closed; a process does not end before. That takes about a millisecond for a vector of 384 dimensions, and 170 bytes at `m` 16.
 *
 * Source: Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical Navigable Small World
 * graphs", 2018 (arXiv:1603.09320), whose names these are.
 */
export interface HnswOptions {
  /** Stores of at most so many documents are searched exactly. A whole number from 0. */
  readonly aboveSize: number;
  /** Links of a vector on each level, twice as many on the lowest. From 2 to 128. Default 16. */
  readonly m?: number | undefined;
  /** Candidates looked at when a vector gets its links. From `m` to 4,096. Default 200. */
  readonly efConstruction?: number | undefined;
  /** Candidates kept in a search: more find more, and take longer. From 1 to 4,096. Default 64. */
  readonly efSearch?: number | undefined;
}

export type HnswSettings = Readonly<Record<keyof HnswOptions, number>>;

function whole(name: keyof HnswOptions, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw invalidArgument(`hnsw.${name}`, `must be a whole number from ${least} to ${most}`);
}

/** @throws VernalError `invalid_argument` for what is out of range */
export function hnswSettings(options: HnswOptions): HnswSettings {
  if (typeof options !== 'object' || options === null) {
    throw invalidArgument('hnsw', 'must be an object such as { aboveSize: 50_000 }');
  }
  const { aboveSize, m = 16, efConstruction = Math.max(200, m), efSearch = 64 } = options;
  return {
    aboveSize: whole('aboveSize', aboveSize, 0, 0xffffffff),
    m: whole('m', m, 2, 128),
    efConstruction: whole('efConstruction', efConstruction, m, 4_096),
    efSearch: whole('efSearch', efSearch, 1, 4_096),
  };
}
