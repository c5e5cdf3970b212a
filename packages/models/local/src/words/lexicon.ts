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

  const frequency = (word: string): number => {
    const own = table.row(word);
    let highest = own === undefined ? UNKNOWN_FREQUENCY : table.frequency(own);
    for (const row of forms(word)) highest = Math.max(highest, table.frequency(row));
    return highest;
  };

  return {
    table,
    rows(word) {
      const own = table.row(word);
      if (own !== undefined) return [own];
      // The table is sorted: the lowest row is the most frequent form.
      const [first, ...others] = forms(word);
      return first === undefined ? halves(word) : [Math.min(first, ...others)];
    },
    frequency,
    rarity: (word) => Math.min(1, Math.log(frequency(word)) / Math.log(RAREST)),
  };
}
