import type { Lexicon } from '../words/lexicon.js';
import { splitWords, type Word } from '../words/split-words.js';
import { stemWord } from '../words/stem-word.js';
import { isStopWord } from '../words/stop-words.js';

/** A word of the text that has a meaning, with how often it occurs. */
export interface CountedWord {
  readonly text: string;
  readonly count: number;
}

/** Something of the text that another text can hold exactly too: a stem, a number, an identifier, a pair of characters. */
export interface ExactFeature {
  readonly text: string;
  readonly count: number;
  /** How much one occurrence tells, 0 to 1. */
  readonly weight: number;
}

export interface TextFeatures {
  readonly words: readonly CountedWord[];
  readonly exact: readonly ExactFeature[];
}

const IDENTIFIER_WEIGHT = 0.6;
const NUMBER_WEIGHT = 0.5;
const PAIR_WEIGHT = 0.6;
const CHARACTER_WEIGHT = 0.3;
/** All three-letter pieces of one unknown word together. */
const PIECES_WEIGHT = 0.5;
const PIECE_LENGTH = 3;
/** Longer runs of letters are no words, and their pieces mean nothing. */
const LONGEST_WORD = 40;

/** What of a text goes into its vector. A text without words, such as '' or '???', has one feature: itself. */
export function textFeatures(text: string, lexicon: Lexicon): TextFeatures {
  const counted = new Map<string, { readonly word: Word; count: number }>();
  for (const word of splitWords(text)) {
    const key = featureName(word);
    const known = counted.get(key);
    if (known === undefined) counted.set(key, { word, count: 1 });
    else known.count++;
  }

  const words: CountedWord[] = [];
  const exact = new Map<string, ExactFeature>();
  const add = (name: string, count: number, weight: number): void => {
    const known = exact.get(name);
    exact.set(name, { text: name, count: count + (known?.count ?? 0), weight: Math.max(weight, known?.weight ?? 0) });
  };

  for (const [name, { word, count }] of counted) {
    if (word.kind === 'identifier') add(name, count, IDENTIFIER_WEIGHT);
    else if (word.kind === 'number') add(name, count, NUMBER_WEIGHT);
    else if (word.kind === 'gram') add(name, count, word.text.length > 1 ? PAIR_WEIGHT : CHARACTER_WEIGHT);
    else if (!isStopWord(word.text)) {
      words.push({ text: word.text, count });
      add(stemWord(word.text), count, lexicon.rarity(word.text));
      // Forms of a word that nothing is known about, in any language, still share most of their pieces.
      if (word.text.length <= LONGEST_WORD && lexicon.rows(word.text).length === 0) {
        const pieces = piecesOf(word.text);
        for (const piece of pieces) add(piece, count, PIECES_WEIGHT / Math.sqrt(pieces.length));
      }
    }
  }
  if (exact.size === 0) add(`\u0000${text.trim()}`, 1, 1);
  return { words, exact: [...exact.values()] };
}

/** An identifier is told from the word that is spelled the same. */
function featureName(word: Word): string {
  return word.kind === 'identifier' ? `\u0001${word.text}` : word.text;
}

function piecesOf(word: string): string[] {
  const padded = Array.from(`^${word}$`);
  const pieces: string[] = [];
  for (let start = 0; start + PIECE_LENGTH <= padded.length; start++)
    pieces.push(`\u0002${padded.slice(start, start + PIECE_LENGTH).join('')}`);
  return pieces;
}
