import { wordsOf } from './words.js';

/** How soon repeating a word stops to count, and how much long texts are held back; the values of most search engines. */
const K1 = 1.2;
const B = 0.75;

/**
 * Which documents hold which words, for BM25.
 *
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; inverse document frequency without
 * negative values, as in Lucene.
 */
export class KeywordIndex {
  /** Word to document id to times. */
  readonly #postings = new Map<string, Map<string, number>>();
  readonly #words = new Map<string, ReadonlyMap<string, number>>();
  readonly #lengths = new Map<string, number>();
  #totalLength = 0;

  put(id: string, text: string): void {
    this.remove(id);
    const counts = new Map<string, number>();
    const words = wordsOf(text, true);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, times] of counts) {
      const posting = this.#postings.get(word) ?? new Map<string, number>();
      posting.set(id, times);
      this.#postings.set(word, posting);
    }
    this.#words.set(id, counts);
    this.#lengths.set(id, words.length);
    this.#totalLength += words.length;
  }

  remove(id: string): void {
    const counts = this.#words.get(id);
    if (counts === undefined) return;
    for (const word of counts.keys()) {
      const posting = this.#postings.get(word);
      posting?.delete(id);
      if (posting?.size === 0) this.#postings.delete(word);
    }
    this.#totalLength -= this.#lengths.get(id) ?? 0;
    this.#words.delete(id);
    this.#lengths.delete(id);
  }

  /** BM25 of every document that holds a word of the query. */
  search(query: string): Map<string, number> {
    const scores = new Map<string, number>();
    const documents = this.#lengths.size;
    const average = this.#totalLength / Math.max(1, documents);
    for (const word of new Set(wordsOf(query))) {
      const posting = this.#postings.get(word);
      if (posting === undefined) continue;
      const rarity = Math.log(1 + (documents - posting.size + 0.5) / (posting.size + 0.5));
      for (const [id, times] of posting) {
        const length = (this.#lengths.get(id) ?? 0) / average;
        const weight = (times * (K1 + 1)) / (times + K1 * (1 - B + B * length));
        scores.set(id, (scores.get(id) ?? 0) + rarity * weight);
      }
    }
    return scores;
  }
}
