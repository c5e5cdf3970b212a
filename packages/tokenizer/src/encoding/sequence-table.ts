/**
 * A hash table from short runs of 16-bit units to non-negative integers. Keys are compared in place, inside larger arrays, so that a
 * look-up makes no string: the whole cost of counting tokens is such look-ups.
 */
export interface SequenceTable {
  /** The value under `units[from..to)`, or -1. */
  get(units: Uint16Array, from: number, to: number): number;
  /** False when there is no room left. The key must not be there yet. */
  add(units: Uint16Array, from: number, to: number, value: number): boolean;
  clear(): void;
}

/** `maxEntries` keys with `maxUnits` units in all. */
export function sequenceTable(maxEntries: number, maxUnits: number): SequenceTable {
  // At most half full, so that probing stays short.
  const slotCount = 2 ** Math.ceil(Math.log2(maxEntries * 2));
  const mask = slotCount - 1;
  /** Entry number + 1, or 0. */
  const slots = new Int32Array(slotCount);
  const hashes = new Int32Array(maxEntries);
  const values = new Int32Array(maxEntries);
  /** Entry i's key is `keys[starts[i]..starts[i + 1])`. */
  const starts = new Int32Array(maxEntries + 1);
  const keys = new Uint16Array(maxUnits);
  let entries = 0;

  function slotOf(units: Uint16Array, from: number, to: number, hash: number): number {
    let slot = hash & mask;
    for (;;) {
      const entry = (slots[slot] ?? 0) - 1;
      if (entry === -1) return slot;
      if (hashes[entry] === hash && sameKey(entry, units, from, to)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  function sameKey(entry: number, units: Uint16Array, from: number, to: number): boolean {
    const start = starts[entry] ?? 0;
    if ((starts[entry + 1] ?? 0) - start !== to - from) return false;
    for (let at = from, key = start; at < to; at++, key++) if (units[at] !== keys[key]) return false;
    return true;
  }

  return {
    get(units, from, to) {
      const entry = (slots[slotOf(units, from, to, hashOf(units, from, to))] ?? 0) - 1;
      return entry === -1 ? -1 : (values[entry] ?? -1);
    },
    add(units, from, to, value) {
      const start = starts[entries] ?? 0;
      if (entries === maxEntries || start + to - from > maxUnits) return false;
      const hash = hashOf(units, from, to);
      slots[slotOf(units, from, to, hash)] = entries + 1;
      hashes[entries] = hash;
      values[entries] = value;
      keys.set(units.subarray(from, to), start);
      starts[++entries] = start + to - from;
      return true;
    },
    clear() {
      slots.fill(0);
      entries = 0;
    },
  };
}

/** FNV-1a over units, with the high bits folded down. */
function hashOf(units: Uint16Array, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (units[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
