/** Seeded numbers, the same on every machine (mulberry32). */
export interface Random {
  /** 0 <= x < 1. */
  next(): number;
  /** A whole number, 0 <= n < `below`. */
  below(below: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: (values) => values[below(values.length)] ?? values[0] };
}
