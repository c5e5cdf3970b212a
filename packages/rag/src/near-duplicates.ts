import { wordsOf } from '@vernal/vector-store';

/** Gives every different key a number, from 0. */
class Numbering<Key> {
  readonly #numbers = new Map<Key, number>();

  get size(): number {
    return this.#numbers.size;
  }

  of(key: Key): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}

/** More different words than any list of documents has; numbers of two below it make one that is exact. */
const MOST_WORDS = 2 ** 26;

/** Words that follow each other as one key a pair; a text of one word, or of none, is a piece by itself. */
function pairsOf(text: string, words: Numbering<string>): number[] {
  const own = wordsOf(text);
  if (own.length < 2) return [words.of(own[0] ?? `\n${text.trim()}`)];
  const numbers = own.map((word) => words.of(word) + 1);
  return numbers.slice(1).map((number, at) => number * MOST_WORDS + (numbers[at] ?? 0));
}

/** Numbers for the pairs of each text, each once and in order, the rarer first: what texts share by chance stands last. */
function rankedPairs(texts: readonly string[]): Uint32Array[] {
  const words = new Numbering<string>();
  const pairs = new Numbering<number>();
  /** By pair: how many texts hold it, and the last that does. */
  const holders: number[] = [];
  const last: number[] = [];
  const numbered: number[][] = [];
  for (const [at, text] of texts.entries()) {
    const own: number[] = [];
    for (const key of pairsOf(text, words)) {
      const pair = pairs.of(key);
      if (last[pair] === at) continue;
      last[pair] = at;
      holders[pair] = (holders[pair] ?? 0) + 1;
      own.push(pair);
    }
    numbered.push(own);
  }
  // How often by powers of two is order enough, and needs no sorting of all pairs.
  const rank = (pair: number): number => (31 - Math.clz32(holders[pair] ?? 1)) * pairs.size + pair;
  return numbered.map((own) => Uint32Array.from(own.map(rank)).sort());
}

/** Shared pairs by all that there are in both. Both are in order. */
function jaccard(a: Uint32Array, b: Uint32Array): number {
  let [i, j, shared] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0);
    if (difference === 0) shared++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return shared / (a.length + b.length - shared);
}

/** Rounding must not keep what is exactly as similar as asked for. */
const ROUNDING = 1e-9;

/**
 * The places of those texts that are not `similarity` like one that is kept before them: word pairs that two texts share, by those that
 * are in either (Jaccard), exactly. Texts that share none of their rarest pairs cannot be so similar and are not compared.
 *
 * Source: prefix filtering, Chaudhuri et al., "A Primitive Operator for Similarity Joins in Data Cleaning", ICDE 2006.
 */
export function distinctTexts(texts: readonly string[], similarity: number): number[] {
  const kept: number[] = [];
  const ranked = rankedPairs(texts);
  /** By pair: kept texts that have it among their rarest. */
  const holders = new Map<number, number[]>();
  for (const [at, own] of ranked.entries()) {
    const rarest = own.subarray(0, own.length - Math.ceil(own.length * similarity - ROUNDING) + 1);
    const candidates = new Set<number>();
    for (const pair of rarest) for (const other of holders.get(pair) ?? []) candidates.add(other);
    if ([...candidates].some((other) => jaccard(own, ranked[other] ?? own) >= similarity - ROUNDING)) continue;
    kept.push(at);
    for (const pair of rarest) {
      const list = holders.get(pair);
      if (list === undefined) holders.set(pair, [at]);
      else list.push(at);
    }
  }
  return kept;
}
