import { isBlank } from './blank.js';
import { graphemeStart } from './graphemes.js';

export interface CutRules {
  /** Marks after which a text may be cut, the last one that fits first. */
  readonly punctuation: readonly string[];
  /** A cut at a mark leaves more than this many UTF-16 units before it; undefined: 350, or half of the window when that is less. */
  readonly minChunkSizeChars: number | undefined;
}

/** Chooses where a chunk ends. */
export interface CutChooser {
  /** A cut in `(start, limit]`, above `above`; `limit` is where the tokens run out, before the end of the text. */
  cut(text: string, start: number, limit: number, above: number): number;
}

/** `.`, `?`, `!`, the line end, and their Chinese, Japanese, Hindi and Arabic counterparts. */
export const DEFAULT_PUNCTUATION: readonly string[] = [
  '.',
  '?',
  '!',
  '\n',
  '。',
  '？',
  '！',
  '．',
  '｡',
  '…',
  '।',
  '؟',
  '۔',
];

const DEFAULT_MIN_CHUNK_SIZE_CHARS = 350;
/** Marks inside a sentence after which a text without spaces is best cut. */
const CLAUSE_MARKS = '，、；：';
/** They belong to the sentence they close. */
const CLOSERS = ')]}"\'’”»）」』】》〉';
const LETTER = /\p{L}/u;

export function cutChooser(rules: CutRules): CutChooser {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  /** Marks by their last unit. */
  const marks = new Map<number, readonly string[]>();
  for (const mark of rules.punctuation) {
    const last = mark.charCodeAt(mark.length - 1);
    marks.set(last, [...(marks.get(last) ?? []), mark]);
  }

  /** The cut after the mark that ends at `end`, or -1. */
  function cutAfterMark(text: string, start: number, end: number): number {
    const ending = marks.get(text.charCodeAt(end - 1));
    if (ending === undefined) return -1;
    const mark = ending.find((candidate) => text.startsWith(candidate, end - candidate.length));
    if (mark === undefined || end - mark.length < start) return -1;
    let cut = end;
    while (cut < text.length && CLOSERS.includes(text.charAt(cut))) cut++;
    // In `3.14`, `a.b` and `/?q=` the mark does not end anything. Line ends and marks of other scripts do without a space.
    const code = mark.charCodeAt(mark.length - 1);
    if (code > 32 && code < 127) {
      if (cut < text.length && !isBlank(text.charCodeAt(cut))) return -1;
      if (mark === '.' && isAbbreviation(text, end - 1)) return -1;
    }
    return cut;
  }

  return {
    cut(text, start, limit, above) {
      const window = limit - start;
      const minimum = rules.minChunkSizeChars ?? Math.min(DEFAULT_MIN_CHUNK_SIZE_CHARS, window / 2);
      for (let end = limit; end > start + minimum && end > above; end--) {
        const cut = cutAfterMark(text, start, end);
        if (cut !== -1 && cut <= limit && isCharacterStart(text, start, cut)) return cut;
      }
      for (let end = limit; end > start + window / 2 && end > above; end--) {
        if (isBetweenWords(text, end) && isCharacterStart(text, start, end)) return end;
      }
      const whole = graphemeStart(text, start, limit, segmenter);
      return whole > start && whole > above ? whole : limit;
    },
  };

  function isCharacterStart(text: string, start: number, index: number): boolean {
    return graphemeStart(text, start, index, segmenter) === index;
  }
}

function isBetweenWords(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  return (
    isBlank(before) ||
    isBlank(text.charCodeAt(index)) ||
    (before > 0x2fff && CLAUSE_MARKS.includes(text.charAt(index - 1)))
  );
}

/** `e.g.`, `U.S.`, `J. Doe`, and the number of a list item: `12. Text`. */
function isAbbreviation(text: string, dot: number): boolean {
  const before = text.charAt(dot - 1);
  if (LETTER.test(before)) return dot < 2 || /[\s.(]/.test(text.charAt(dot - 2));
  let digit = dot;
  while (digit > 0 && dot - digit < 4 && /[0-9]/.test(text.charAt(digit - 1))) digit--;
  return digit < dot && (digit === 0 || /[\n\r]/.test(text.charAt(digit - 1)));
}
