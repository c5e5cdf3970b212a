import type { Lexicon } from '../words/lexicon.js';
import { splitWords } from '../words/split-words.js';
import { stemWord } from '../words/stem-word.js';
import { isStopWord } from '../words/stop-words.js';

/** A word of a passage, as the terms of a question are compared with it. */
export interface PassageWord {
  readonly stem: string;
  /** Rows of the word table that hold its meaning; none for an unknown word, a number, a pair of characters. */
  readonly rows: readonly number[];
}

/** What of a passage a reranker looks at. */
export interface PassageWords {
  /** Sentence by sentence, the words that say something, each stem once. */
  readonly sentences: readonly (readonly PassageWord[])[];
  /** How often each stem occurs. */
  readonly counts: ReadonlyMap<string, number>;
  /** Words, those that say nothing too. */
  readonly length: number;
}

/** Parts of a sentence that a colon or a semicolon divides answer questions by themselves, as lines do. */
const SENTENCE_END = /(?<=[.!?:;])\s+|(?<=[。！？])|[\r\n]+/u;

export function passageWords(text: string, lexicon: Lexicon): PassageWords {
  const counts = new Map<string, number>();
  const known = new Map<string, PassageWord>();
  const sentences: PassageWord[][] = [];
  let length = 0;
  for (const sentence of text.split(SENTENCE_END)) {
    const words = new Set<PassageWord>();
    for (const { text: word, kind } of splitWords(sentence)) {
      if (kind === 'identifier') continue;
      length++;
      if (kind === 'word' && isStopWord(word)) continue;
      const stem = kind === 'word' ? stemWord(word) : word;
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
      const entry = known.get(stem) ?? { stem, rows: kind === 'word' ? lexicon.rows(word) : [] };
      known.set(stem, entry);
      words.add(entry);
    }
    if (words.size > 0) sentences.push([...words]);
  }
  return { sentences, counts, length };
}
