import type { SequenceTable } from './sequence-table.js';

/** Splits the bytes of one piece into tokens. */
export interface BytePairMerger {
  /** How many tokens `bytes[0..length)` has. */
  count(bytes: Uint16Array, length: number): number;
  /** Where each token ends, in bytes. */
  ends(bytes: Uint16Array, length: number): number[];
}

const NO_RANK = 0x7fff_ffff;
/** Up to here a scan for the lowest rank beats a heap. */
const SCAN_LIMIT = 64;

/** A list of parts over byte positions: `next[start]` is where the part ends, which is where the next one starts. */
interface Parts {
  readonly next: Int32Array;
  readonly previous: Int32Array;
  /** The rank of the token that the part at `start` and the one after it would make. */
  readonly pairRanks: Int32Array;
}

/**
 * Byte-pair encoding: the pair with the lowest rank is merged first, the leftmost of equals. `O(n log n)`, so that a megabyte without
 * a single space stays quick.
 *
 * Source: Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016.
 */
export function bytePairMerger(ranks: SequenceTable): BytePairMerger {
  const small = newParts(SCAN_LIMIT);

  function mergeAll(bytes: Uint16Array, length: number): Parts {
    const parts = length <= SCAN_LIMIT ? small : newParts(length);
    const { next, previous, pairRanks } = parts;
    for (let at = 0; at <= length; at++) {
      next[at] = at + 1;
      previous[at] = at - 1;
      pairRanks[at] = at + 1 < length ? rankOf(bytes, at, at + 2) : NO_RANK;
    }
    if (length <= SCAN_LIMIT) mergeByScan(bytes, length, parts);
    else mergeByHeap(bytes, length, parts);
    return parts;
  }

  function rankOf(bytes: Uint16Array, from: number, to: number): number {
    const rank = ranks.get(bytes, from, to);
    return rank === -1 ? NO_RANK : rank;
  }

  /** Merges the part at `start` with the one after it; gives the start of the part before, or -1. */
  function mergeAt(bytes: Uint16Array, length: number, start: number, { next, previous, pairRanks }: Parts): number {
    const middle = next[start] ?? length;
    const after = next[middle] ?? length;
    next[start] = after;
    previous[after] = start;
    pairRanks[middle] = NO_RANK;
    pairRanks[start] = after < length ? rankOf(bytes, start, next[after] ?? length) : NO_RANK;
    const before = previous[start] ?? -1;
    if (before >= 0) pairRanks[before] = rankOf(bytes, before, after);
    return before;
  }

  function mergeByScan(bytes: Uint16Array, length: number, parts: Parts): void {
    const { next, pairRanks } = parts;
    for (;;) {
      let lowest = NO_RANK;
      let start = -1;
      for (let at = 0; at < length; at = next[at] ?? length) {
        const rank = pairRanks[at] ?? NO_RANK;
        if (rank < lowest) {
          lowest = rank;
          start = at;
        }
      }
      if (start === -1) return;
      mergeAt(bytes, length, start, parts);
    }
  }

  function mergeByHeap(bytes: Uint16Array, length: number, parts: Parts): void {
    const { pairRanks } = parts;
    const heap = pairHeap(length);
    const push = (start: number): void => {
      const rank = pairRanks[start] ?? NO_RANK;
      if (rank !== NO_RANK) heap.push(rank * POSITIONS + start);
    };
    for (let at = 0; at < length; at++) push(at);
    for (let key = heap.pop(); key !== -1; key = heap.pop()) {
      const start = key % POSITIONS;
      // Later merges may have changed the pair since it was pushed.
      if (pairRanks[start] !== (key - start) / POSITIONS) continue;
      const before = mergeAt(bytes, length, start, parts);
      push(start);
      if (before >= 0) push(before);
    }
  }

  return {
    count(bytes, length) {
      if (length <= 1 || ranks.get(bytes, 0, length) !== -1) return Math.min(length, 1);
      const { next } = mergeAll(bytes, length);
      let tokens = 0;
      for (let at = 0; at < length; at = next[at] ?? length) tokens++;
      return tokens;
    },
    ends(bytes, length) {
      const { next } = mergeAll(bytes, length);
      const ends: number[] = [];
      for (let at = 0; at < length; at = next[at] ?? length) ends.push(next[at] ?? length);
      return ends;
    },
  };
}

function newParts(length: number): Parts {
  return {
    next: new Int32Array(length + 1),
    previous: new Int32Array(length + 1),
    pairRanks: new Int32Array(length + 1),
  };
}

/** A pair is one number, rank times this plus position, so that one comparison orders by rank and then from left to right. */
const POSITIONS = 2 ** 32;

interface PairHeap {
  push(key: number): void;
  /** The lowest key, or -1. */
  pop(): number;
}

/** A binary heap. */
function pairHeap(length: number): PairHeap {
  // Each of the at most `length` merges takes one key out and puts two in.
  const keys = new Float64Array(length * 3);
  let size = 0;
  return {
    push(key) {
      let at = size++;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        const parentKey = keys[parent] ?? 0;
        if (parentKey <= key) break;
        keys[at] = parentKey;
        at = parent;
      }
      keys[at] = key;
    },
    pop() {
      if (size === 0) return -1;
      const top = keys[0] ?? 0;
      const key = keys[--size] ?? 0;
      let at = 0;
      for (let child = 1; child < size; child = at * 2 + 1) {
        if (child + 1 < size && (keys[child + 1] ?? 0) < (keys[child] ?? 0)) child++;
        const childKey = keys[child] ?? 0;
        if (childKey >= key) break;
        keys[at] = childKey;
        at = child;
      }
      keys[at] = key;
      return top;
    },
  };
}
