import type { Lexicon } from '../words/lexicon.js';
import { splitWords } from '../words/split-words.js';
import { stemWord } from '../words/stem-word.js';
import { isStopWord } from '../words/stop-words.js';
import type { Term } from './question-terms.js';

/** The words of a text as terms are compared with them. */
export interface WordBag {
  readonly stems: ReadonlySet<string>;
  readonly rows: readonly number[];
  /** Stems that the word table does not know. */
  readonly unknown: readonly string[];
}

/** Words less alike than this have nothing to do with each other. */
const LEAST_SIMILARITY = 0.7;
/** Words as alike as this are as good as equal, as far as a table of words can tell. */
const FULL_SIMILARITY = 0.8;
/** A similar word never counts as much as the word itself: opposites are similar too. */
const SIMILAR_FACTOR = 0.9;
/** Of two unknown words, the share of the longer one that must be their common beginning. */
const COMMON_BEGINNING = 0.6;

export function wordBag(text: string, lexicon: Lexicon): WordBag {
  const stems = new Set<string>();
  const rows = new Set<number>();
  const unknown = new Set<string>();
  for (const { text: word, kind } of splitWords(text)) {
    if (kind === 'identifier' || isStopWord(word)) continue;
    const stem = kind === 'word' ? stemWord(word) : word;
    stems.add(stem);
    if (kind !== 'word') continue;
    const known = lexicon.rows(word);
    for (const row of known) rows.add(row);
    if (known.length === 0) unknown.add(stem);
  }
  return { stems, rows: [...rows], unknown: [...unknown] };
}

/** How well a text holds a term: 1 when the word or a form of it is there, less when only a similar one is, 0 when none. */
export function matchTerm(term: Term, bag: WordBag, lexicon: Lexicon): number {
  if (bag.stems.has(term.stem)) return 1;
  if (term.rows.length === 0) {
    return bag.unknown.some((stem) => commonBeginning(term.stem, stem) >= COMMON_BEGINNING) ? SIMILAR_FACTOR : 0;
  }
  let best = 0;
  for (const own of term.rows) {
    for (const other of bag.rows) best = Math.max(best, lexicon.table.similarity(own, other));
  }
  // Two halves mean less each than the whole.
  const share = (best / term.rows.length - LEAST_SIMILARITY) / (FULL_SIMILARITY - LEAST_SIMILARITY);
  return Math.max(0, Math.min(1, share)) * SIMILAR_FACTOR;
}

function commonBeginning(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same / Math.max(a.length, b.length);
}
