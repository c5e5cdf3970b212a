import { questionTerms, type Term } from '../answer/question-terms.js';
import { textVector } from '../embedding/text-vector.js';
import type { Lexicon } from '../words/lexicon.js';
import { type PassageWord, passageWords } from './passage-words.js';

/** Words of a query beyond these are only in its vector: each is compared with each word of a passage. */
const MOST_TERMS = 64;
/** A similar word never counts as much as the word itself: opposites are similar too. */
const SIMILAR_FACTOR = 0.8;
/** Parts of a score, found on half of the questions of examples/rag-lab and on tools/labelled-questions.json. */
const SHARE = { passage: 1, sentence: 0.5, occurrences: 1, vector: 2 } as const;
const ALL_SHARES = SHARE.passage + SHARE.sentence + SHARE.occurrences + SHARE.vector;
/** BM25's k1 and b, and the length of a usual passage in words, since there is no collection to take a mean of. */
const SATURATION = 1.2;
const LENGTH_NORM = 0.75;
const USUAL_LENGTH = 120;

/**
 * How well passages answer one query, without looking at other passages.
 *
 * Late interaction: each word of the query looks for the word of the passage that fits it best, by stem or by the cosine of word vectors, and
 * counts as much as it is rare (MaxSim of Khattab and Zaharia, "ColBERT", SIGIR 2020, over static vectors, weighted). The same is asked of
 * the best sentence, so that words that stand together count more than words that are scattered; exact words count by how often they occur,
 * less in long passages, as in BM25 (Robertson and Zaragoza 2009); and the vectors of both texts are compared as a whole.
 */
export class PassageScorer {
  readonly #lexicon: Lexicon;
  readonly #terms: readonly Term[];
  readonly #weight: number;
  readonly #vector: Float32Array;
  readonly #byRow = new Map<number, Float64Array>();

  constructor(query: string, lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#terms = questionTerms(query, lexicon).slice(0, MOST_TERMS);
    this.#weight = this.#terms.reduce((sum, { weight }) => sum + weight, 0);
    this.#vector = textVector(query, lexicon);
  }

  /** 0 to 1. */
  score(text: string): number {
    const vectors = Math.min(1, Math.max(0, dotProduct(this.#vector, textVector(text, this.#lexicon))));
    if (this.#weight === 0) return vectors;
    const { sentences, counts, length } = passageWords(text, this.#lexicon);
    const inPassage = new Float64Array(this.#terms.length);
    let bestSentence = 0;
    for (const words of sentences) {
      const inSentence = this.#matches(words);
      inSentence.forEach((match, i) => {
        inPassage[i] = Math.max(match, inPassage[i] ?? 0);
      });
      bestSentence = Math.max(bestSentence, this.#covered(inSentence));
    }
    const norm = SATURATION * (1 - LENGTH_NORM + (LENGTH_NORM * length) / USUAL_LENGTH);
    const occurrences = this.#terms.map(({ stem }) => {
      const count = counts.get(stem) ?? 0;
      return count / (count + norm);
    });
    const sum =
      SHARE.passage * this.#covered(inPassage) +
      SHARE.sentence * bestSentence +
      SHARE.occurrences * this.#covered(occurrences) +
      SHARE.vector * vectors;
    return sum / ALL_SHARES;
  }

  /** By term, how well the word fits that fits best, 0 to 1. */
  #matches(words: readonly PassageWord[]): Float64Array {
    const best = new Float64Array(this.#terms.length);
    for (const { stem, rows } of words) {
      const [first] = rows;
      const similar = first === undefined ? undefined : this.#similarTo(rows);
      this.#terms.forEach((term, i) => {
        const match = term.stem === stem ? 1 : (similar?.[i] ?? 0);
        if (match > (best[i] ?? 0)) best[i] = match;
      });
    }
    return best;
  }

  /** Passages share most of their words, so what was compared once is kept. */
  #similarTo(rows: readonly number[]): Float64Array {
    const [first = 0, second] = rows;
    const own = this.#similarToRow(first);
    return second === undefined ? own : own.map((match, i) => Math.max(match, this.#similarToRow(second)[i] ?? 0));
  }

  #similarToRow(row: number): Float64Array {
    const known = this.#byRow.get(row);
    if (known !== undefined) return known;
    const { table } = this.#lexicon;
    const similar = Float64Array.from(this.#terms, ({ rows }) => {
      const best = rows.reduce((most, own) => Math.max(most, table.similarity(own, row)), 0);
      // Two halves mean less each than the whole. The square leaves little of what is only loosely related.
      return rows.length === 0 ? 0 : SIMILAR_FACTOR * Math.min(1, best / rows.length) ** 2;
    });
    this.#byRow.set(row, similar);
    return similar;
  }

  /** Share of the query that is matched, by weight. */
  #covered(matches: ArrayLike<number>): number {
    return this.#terms.reduce((sum, { weight }, i) => sum + weight * (matches[i] ?? 0), 0) / this.#weight;
  }
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
