import { stemWord } from './stem-word.js';
import type { WordTable } from './word-table.js';

/** Of a word that is not in the table: rarer than any that is. */
const UNKNOWN_FREQUENCY = 1e-7;
/** From here on a word counts as rare as can be. */
const RAREST = 1e-6;
const SHORTEST_HALF = 3;
/** Longer runs of letters are no words. */
const LONGEST_WORD = 40;
/** Put behind a stem they give the common forms of a word. */
const FORMS: readonly string[] = ['', 'e', 's', 'y', 'es', 'er', 'ing', 'ation'];

/** Texts share most of their words: of so many the answers are kept, some megabytes. */
const MOST_KEPT = 20_000;

interface WordFacts {
  readonly rows: readonly number[];
  readonly frequency: number;
}

/** What the word table says about any word, also about one that it does not hold. */
export interface Lexicon {
  readonly table: WordTable;
  /** Rows whose mean is the word's meaning: its own, that of another form, those of its two halves; none when it is unknown. */
  rows(word: string): readonly number[];
  /** Share of running text, 0 to 1. The forms of one word count as the most frequent of them. */
  frequency(word: string): number;
  /** How much a word tells about a text: near 0 for a word that is everywhere, 1 for a rare one. */
  rarity(word: string): number;
}

export function lexicon(table: WordTable): Lexicon {
  const forms = (word: string): number[] => {
    const stem = stemWord(word);
    const found: number[] = [];
    if (stem.length < SHORTEST_HALF) return found;
    for (const ending of FORMS) {
      const row = table.row(stem + ending);
      if (row !== undefined) found.push(row);
    }
    return found;
  };

  const halves = (word: string): readonly number[] => {
    if (word.length > LONGEST_WORD) return [];
    for (let cut = word.length - SHORTEST_HALF; cut >= SHORTEST_HALF; cut--) {
      const left = table.row(word.slice(0, cut));
      const right = table.row(word.slice(cut));
      if (left !== undefined && right !== undefined) return [left, right];
    }
    return [];
  };

  const lookUp = (word: string): WordFacts => {
    const own = table.row(word);
    const others = forms(word);
    let frequency = own === undefined ? UNKNOWN_FREQUENCY : table.frequency(own);
    for (const row of others) frequency = Math.max(frequency, table.frequency(row));
    if (own !== undefined) return { rows: [own], frequency };
    // The table is sorted: the lowest row is the most frequent form.
    const [first, ...rest] = others;
    return { rows: first === undefined ? halves(word) : [Math.min(first, ...rest)], frequency };
  };

  const kept = new Map<string, WordFacts>();
  const factsOf = (word: string): WordFacts => {
    const known = kept.get(word);
    if (known !== undefined) return known;
    const facts = lookUp(word);
    if (word.length > LONGEST_WORD) return facts;
    if (kept.size >= MOST_KEPT) kept.clear();
    // A word cut out of a text keeps the whole text in memory; a copy does not.
    kept.set(` ${word}`.slice(1), facts);
    return facts;
  };

  return {
    table,
    rows: (word) => factsOf(word).rows,
    frequency: (word) => factsOf(word).frequency,
    rarity: (word) => Math.min(1, Math.log(factsOf(word).frequency) / Math.log(RAREST)),
  };
}
