import { invalidArgument, VernalError } from '@vernal/core';
import { BestHits, type RankedHit } from './best-hits.js';
import { type PostingList, PostingLists } from './posting-lists.js';
import { wordsOf } from './words.js';

/** A posting is 24 bits of a slot and 8 of how often the word is in it; what is more often has this and stands beside. */
const SLOTS = 1 << 24;
const OFTEN = 0xff;
/** Fewer free slots are not worth rewriting the index for. */
const LEAST_FREE = 1024;
const DEFAULT_TOP_K = 4;

/** All may be left out. */
export interface Bm25Options {
  /** How soon repeating a word stops to count: 0 at once, the higher the later. Default 1.2. */
  readonly k1?: number | undefined;
  /** How much long texts are held back, 0 to 1. Default 0.75. */
  readonly b?: number | undefined;
  /** Cuts texts and queries into words, as for stems or stop words. Default `wordsOf`, which takes every script. */
  readonly words?: ((text: string, use: 'text' | 'query') => readonly string[]) | undefined;
}

/** All may be left out. */
export interface Bm25Search {
  /** How many, at most. Default 4. */
  readonly topK?: number | undefined;
  /**
   * Where a text stands among those of equal scores, the lower the better; undefined leaves it out. `order` is the default: in the order
   * they were put. Asked only for what is good enough, and must not change the index.
   */
  readonly place?: ((id: string, order: number) => number | undefined) | undefined;
}

/** What was found. */
export interface Bm25Hit {
  readonly id: string;
  /** BM25, above 0 and without an upper end. `score / (1 + score)` is in 0 to 1 and keeps the order. */
  readonly score: number;
}

interface Word extends PostingList {
  /** Removals when the list was last free of removed texts. */
  cleanAt: number;
  /** By slot, where the word is there `OFTEN` or more. */
  often?: Map<number, number>;
}

/** Room for one search. */
interface Sums {
  readonly scores: Float64Array;
  readonly touched: Uint32Array;
}

/**
 * Texts found by their words, best first, by BM25: what holds the rare words of the query, often, in few words. In memory, about 5 bytes
 * for each different word of a text beside the vocabulary; a query over a hundred thousand texts takes a few milliseconds at most.
 * Texts come, change and go at any time: nothing has to be built.
 *
 * Sources: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; inverse document frequency without
 * negative values, as in Lucene. No Spring AI class.
 *
 * @example
 * ```ts
 * const index = new Bm25Index();
 * index.put('1', 'A quick brown fox');
 * index.put('2', 'A lazy dog');
 * index.search('brown dogs or foxes, quick!').map(({ id }) => id); // → ['1']
 * ```
 */
export class Bm25Index {
  readonly #k1: number;
  readonly #b: number;
  readonly #wordsOf: NonNullable<Bm25Options['words']>;
  #postings = new PostingLists();
  #words = new Map<string, Word>();
  readonly #slotOf = new Map<string, number>();
  /** By slot; undefined for what was removed. A slot is used once, until the index is rewritten. */
  #ids: (string | undefined)[] = [];
  /** By slot: words in the text. */
  #lengths: number[] = [];
  /** By slot: what the length of a text holds against it. Undefined when a text came or went. */
  #norms: Float64Array | undefined;
  #totalLength = 0;
  #removals = 0;
  /** All scores 0. Undefined while it is in use. */
  #sums: Sums | undefined;

  /** @throws VernalError `invalid_argument` for numbers out of range */
  constructor({ k1 = 1.2, b = 0.75, words }: Bm25Options = {}) {
    if (!(k1 >= 0 && k1 < Number.POSITIVE_INFINITY)) throw invalidArgument('k1', 'must be a number of at least 0');
    if (!(b >= 0 && b <= 1)) throw invalidArgument('b', 'must be a number from 0 to 1');
    this.#k1 = k1;
    this.#b = b;
    this.#wordsOf = words ?? ((text, use) => wordsOf(text, use === 'text'));
  }

  /** Texts in the index. */
  get size(): number {
    return this.#slotOf.size;
  }

  /** Whether a text has this id. */
  has(id: string): boolean {
    return this.#slotOf.has(id);
  }

  /** Takes the place of what had this id. @throws VernalError `invalid_argument` for what is no text, `invalid_state` beyond 16 million texts */
  put(id: string, text: string): void {
    if (typeof id !== 'string') throw invalidArgument('id', 'must be text');
    if (typeof text !== 'string') throw invalidArgument('text', "must be text; '' where there is none");
    const words = this.#wordsOf(text, 'text');
    this.remove(id);
    const slot = this.#newSlot(id, words.length);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, times] of counts) this.#append(this.#words.get(word) ?? this.#newWord(word), slot, times);
  }

  /** Tells whether it was there. */
  remove(id: string): boolean {
    const slot = this.#slotOf.get(id);
    if (slot === undefined) return false;
    this.#slotOf.delete(id);
    this.#ids[slot] = undefined;
    this.#totalLength -= this.#lengths[slot] ?? 0;
    this.#norms = undefined;
    this.#removals++;
    const free = this.#ids.length - this.size;
    if (free >= LEAST_FREE && free > this.size) this.#rewrite();
    return true;
  }

  /**
   * The texts that hold a word of the query, best first; a word that stands in it twice counts once.
   *
   * @throws VernalError `invalid_argument` for a query that is no text and a `topK` that is no whole number above 0
   */
  search(query: string, { topK = DEFAULT_TOP_K, place }: Bm25Search = {}): Bm25Hit[] {
    if (typeof query !== 'string') throw invalidArgument('query', 'must be text');
    if (!Number.isSafeInteger(topK) || topK < 1) throw invalidArgument('topK', 'must be a whole number above 0');
    const sums = this.#takeSums();
    const found = this.#addUp(new Set(this.#wordsOf(query, 'query')), sums);
    const best = new BestHits<RankedHit & Bm25Hit>(topK);
    let bar = best.bar;
    for (let i = 0; i < found; i++) {
      const slot = sums.touched[i] ?? 0;
      const score = sums.scores[slot] ?? 0;
      sums.scores[slot] = 0;
      const id = score < bar ? undefined : this.#ids[slot];
      const at = id === undefined || place === undefined ? slot : place(id, slot);
      if (id === undefined || at === undefined) continue;
      best.offer({ id, score, place: at });
      bar = best.bar;
    }
    this.#sums = sums;
    return best.sorted().map(({ id, score }) => ({ id, score }));
  }

  /** How many slots `sums.touched` names. */
  #addUp(words: ReadonlySet<string>, { scores, touched }: Sums): number {
    const k1 = this.#k1;
    const norms = this.#currentNorms();
    let found = 0;
    for (const name of words) {
      const word = this.#words.get(name);
      if (word === undefined) continue;
      this.#clean(word);
      const rarity = Math.log(1 + (this.size - word.size + 0.5) / (word.size + 0.5));
      this.#postings.scan(word, (page, start, end) => {
        for (let i = start; i < end; i++) {
          const entry = page[i] ?? 0;
          const slot = entry >>> 8;
          let times = entry & OFTEN;
          if (times === OFTEN) times = word.often?.get(slot) ?? OFTEN;
          const before = scores[slot] ?? 0;
          if (before === 0) touched[found++] = slot;
          scores[slot] = before + rarity * ((times * (k1 + 1)) / (times + (norms[slot] ?? 0)));
        }
      });
    }
    return found;
  }

  #newSlot(id: string, length: number): number {
    if (this.#ids.length === SLOTS && this.size < SLOTS) this.#rewrite();
    const slot = this.#ids.length;
    if (slot === SLOTS) {
      throw new VernalError('A Bm25Index holds 16777216 texts at most: use a store with an engine for so many', {
        code: 'invalid_state',
        subject: 'Bm25Index',
      });
    }
    this.#ids.push(id);
    this.#slotOf.set(id, slot);
    this.#lengths.push(length);
    this.#totalLength += length;
    this.#norms = undefined;
    return slot;
  }

  #newWord(name: string): Word {
    const word: Word = { ...this.#postings.newList(), cleanAt: this.#removals };
    this.#words.set(ownText(name), word);
    return word;
  }

  #append(word: Word, slot: number, times: number): void {
    this.#postings.append(word, slot * (OFTEN + 1) + Math.min(times, OFTEN));
    if (times < OFTEN) return;
    word.often ??= new Map();
    word.often.set(slot, times);
  }

  /** Takes removed texts out of a list, when it is needed: most lists are not, before the index is rewritten. */
  #clean(word: Word): void {
    if (word.cleanAt === this.#removals) return;
    this.#postings.keep(word, (entry) => this.#ids[entry >>> 8] !== undefined);
    word.cleanAt = this.#removals;
  }

  #currentNorms(): Float64Array {
    if (this.#norms !== undefined) return this.#norms;
    const average = this.#totalLength / Math.max(1, this.size);
    const norms = new Float64Array(this.#ids.length);
    for (let slot = 0; slot < norms.length; slot++)
      norms[slot] = this.#k1 * (1 - this.#b + this.#b * ((this.#lengths[slot] ?? 0) / average));
    this.#norms = norms;
    return norms;
  }

  /** Taken away while in use: `place` may search too, and may throw. */
  #takeSums(): Sums {
    const sums = this.#sums;
    this.#sums = undefined;
    const slots = this.#ids.length;
    if (sums !== undefined && sums.scores.length >= slots) return sums;
    const room = Math.ceil(slots * 1.25);
    return { scores: new Float64Array(room), touched: new Uint32Array(room) };
  }

  /** Without what was removed. Happens once in as many removals as there are texts. */
  #rewrite(): void {
    const [postings, words, ids, lengths] = [this.#postings, this.#words, this.#ids, this.#lengths];
    const slots = new Uint32Array(ids.length);
    this.#postings = new PostingLists();
    this.#words = new Map();
    this.#ids = [];
    this.#lengths = [];
    this.#totalLength = 0;
    for (const [slot, id] of ids.entries()) if (id !== undefined) slots[slot] = this.#newSlot(id, lengths[slot] ?? 0);
    for (const [name, old] of words) {
      let word: Word | undefined;
      postings.scan(old, (page, start, end) => {
        for (let i = start; i < end; i++) {
          const entry = page[i] ?? 0;
          const slot = entry >>> 8;
          if (ids[slot] === undefined) continue;
          const times = entry & OFTEN;
          word ??= this.#newWord(name);
          this.#append(word, slots[slot] ?? 0, times === OFTEN ? (old.often?.get(slot) ?? OFTEN) : times);
        }
      });
    }
    this.#sums = undefined;
  }
}

/** A long piece of a text keeps the whole text in memory; a copy does not. */
function ownText(piece: string): string {
  return piece.length < 13 ? piece : Array.from(piece).join('');
}
