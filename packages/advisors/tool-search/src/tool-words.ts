import { STOP_WORDS } from './stop-words.js';

const RUN = /[\p{L}\p{N}\p{M}]+/gu;
const LATIN_MARKS = /[\u0300-\u036f]/g;
/** Scripts that are written without spaces between words. */
const UNSPACED =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+)/u;

/**
 * The words of a name or a text, in order, with repetition. `getHTTPStatus`, `get_http_status` and `get-http-status` are the same three
 * words; neighbours in camel case are a word together as well, so `GitHub` is `git`, `hub` and `github`. Case, width and the marks of
 * Latin letters are folded, plurals cut. Scripts without spaces become overlapping pairs of characters, and single characters.
 */
export function toolWords(text: string): string[] {
  return words(text, true).map(singular);
}

/**
 * Of what is looked for: without words that say nothing and single letters, unless nothing is left. Single characters of scripts without
 * spaces only where they stand alone.
 */
export function queryWords(text: string): string[] {
  const all = words(text, false);
  const telling = all.filter((word) => !STOP_WORDS.has(word) && !/^[a-z\d]$/.test(word));
  return [...new Set((telling.length > 0 ? telling : all).map(singular))];
}

function words(text: string, singles: boolean): string[] {
  const found: string[] = [];
  const folded = text.normalize('NFKD').replace(LATIN_MARKS, '').normalize('NFC');
  for (const [run] of folded.matchAll(RUN)) {
    for (const [at, part] of run.split(UNSPACED).entries()) {
      if (part === '') continue;
      // split() with a group puts what matched at the odd places.
      if (at % 2 === 1) pushPairs(part, singles, found);
      else pushPieces(part, found);
    }
  }
  return found;
}

function pushPairs(run: string, singles: boolean, found: string[]): void {
  const characters = Array.from(run);
  if (singles || characters.length === 1) found.push(...characters);
  for (let i = 1; i < characters.length; i++) found.push(`${characters[i - 1]}${characters[i]}`);
}

function pushPieces(run: string, found: string[]): void {
  const pieces = run
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(' ');
  for (const [i, piece] of pieces.entries()) {
    found.push(piece);
    const digits = piece.match(/\p{N}+|\P{N}+/gu) ?? [];
    if (digits.length > 1) found.push(...digits);
    const next = pieces[i + 1];
    if (next !== undefined) found.push(piece + next);
  }
}

/** Source: the S stemmer of Harman, "How effective is suffixing?", 1991. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s')) return word;
  if (/[^ea]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^us]s$/.test(word) ? word.slice(0, -1) : word;
}
