import type { ToolReference } from './tool-index.js';
import { toolWords } from './tool-words.js';

/** How soon repeating a word stops to count, and how much long texts are held back; the values of most search engines. */
const K1 = 1.2;
const B = 0.75;
/** What a word counts in a part of a tool. A name says best what a tool does. */
const NAME = 3;
const PLAIN = 1;
const PARAMETER_TEXT = 0.5;
/** For a word that only begins as the one that was asked for. */
const RELATED = 0.5;

/**
 * Which tools hold which words, weighed by where they stand: BM25 over weighted fields, with one length for all of them.
 *
 * Source: Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields", CIKM 2004.
 */
export class KeywordScores {
  /** Word to place of the tool to weight. */
  readonly #postings = new Map<string, Map<number, number>>();
  /** In words. */
  readonly #lengths: number[] = [];
  #totalLength = 0;

  constructor(tools: readonly ToolReference[]) {
    for (const [place, tool] of tools.entries()) this.#add(place, tool);
  }

  /** By place of the tool, for those that hold a word of the query or one that begins like it. */
  search(words: readonly string[]): Map<number, number> {
    const scores = new Map<number, number>();
    for (const word of words) {
      for (const [place, score] of this.#scoresOf(word)) scores.set(place, (scores.get(place) ?? 0) + score);
    }
    return scores;
  }

  /** The best that a tool has for one word of the query. */
  #scoresOf(word: string): Map<number, number> {
    const best = new Map<number, number>();
    const holders = this.#postings.get(word)?.size ?? 0;
    for (const [term, postings] of this.#postings) {
      const closeness = term === word ? 1 : isRelated(term, word) ? RELATED : 0;
      if (closeness === 0) continue;
      // A word that only begins alike is no rarer than the word itself.
      const found = Math.max(postings.size, holders);
      const rarity = Math.log(1 + (this.#lengths.length - found + 0.5) / (found + 0.5));
      for (const [place, weight] of postings) {
        const length = (this.#lengths[place] ?? 0) / (this.#totalLength / this.#lengths.length);
        const score = (closeness * rarity * weight * (K1 + 1)) / (weight + K1 * (1 - B + B * length));
        best.set(place, Math.max(best.get(place) ?? 0, score));
      }
    }
    return best;
  }

  #add(place: number, { name, description, parameters, categories }: ToolReference): void {
    this.#lengths[place] = 0;
    this.#count(place, name, NAME);
    this.#count(place, description, PLAIN);
    for (const category of categories) this.#count(place, category, PLAIN);
    for (const parameter of parameters) {
      this.#count(place, parameter.name, PLAIN);
      this.#count(place, parameter.description ?? '', PARAMETER_TEXT);
    }
  }

  #count(place: number, text: string, weight: number): void {
    for (const word of toolWords(text)) {
      const postings = this.#postings.get(word) ?? new Map<number, number>();
      postings.set(place, (postings.get(place) ?? 0) + weight);
      this.#postings.set(word, postings);
      this.#lengths[place] = (this.#lengths[place] ?? 0) + 1;
      this.#totalLength++;
    }
  }
}

/** Four letters and four fifths of the shorter word: `translate` and `translation`, not `contact` and `contract`. */
function isRelated(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  if (shorter < 4) return false;
  const enough = Math.max(4, Math.ceil(shorter * 0.8));
  return a.startsWith(b.slice(0, enough));
}
