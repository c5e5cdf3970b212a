/**
 * - `word`: a run of letters, or one part of an identifier;
 * - `number`: a run of digits;
 * - `identifier`: a whole name of several parts, such as `providerOptions`, `max-tokens` or `model_not_found`;
 * - `gram`: one or two characters of a script that puts no space between its words.
 */
export type WordKind = 'word' | 'number' | 'identifier' | 'gram';

export interface Word {
  /** Lower case, NFKC. */
  readonly text: string;
  readonly kind: WordKind;
}

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const SPACED = `(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])`;
const RUNS = new RegExp(`[${UNSPACED}]+|${SPACED}+(?:(?:[._/-]|['’])${SPACED}+)*`, 'gu');
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, 'u');
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}._/'’-]+/gu;
const NEGATION = /n['’]t$/i;
const NUMBER = /^\p{N}/u;
/** Letters and figures this mixed are an id or a checksum, whose pieces mean nothing. */
const OPAQUE_PARTS = 8;
const OPAQUE_NUMBERS = 3;
const SHORT_FORM = /['’]\p{L}+$/u;

/** The words of a text in reading order. A name of several parts gives itself and its parts. */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const [run] of text.normalize('NFKC').matchAll(RUNS)) {
    if (UNSPACED_START.test(run)) addGrams(run, words);
    else addRun(run, words);
  }
  return words;
}

function addRun(run: string, words: Word[]): void {
  if (NEGATION.test(run)) return;
  const name = run.replace(SHORT_FORM, '');
  const parts = name.match(PARTS) ?? [name];
  const isOpaque = parts.length >= OPAQUE_PARTS && parts.filter((part) => NUMBER.test(part)).length >= OPAQUE_NUMBERS;
  for (const part of isOpaque ? [] : parts)
    words.push({ text: part.toLowerCase(), kind: NUMBER.test(part) ? 'number' : 'word' });
  if (parts.length > 1) words.push({ text: name.toLowerCase(), kind: 'identifier' });
}

/** Pairs carry the meaning in these scripts; single characters let a one-character question match too. */
function addGrams(run: string, words: Word[]): void {
  const characters = Array.from(run.toLowerCase());
  characters.forEach((character, index) => {
    words.push({ text: character, kind: 'gram' });
    const next = characters[index + 1];
    if (next !== undefined) words.push({ text: character + next, kind: 'gram' });
  });
}
