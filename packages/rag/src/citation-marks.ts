import { protectedRanges } from './protected-text.js';

/** A mark in a text, as in [1], [1, 2] or 【1】. */
export interface CitationMark {
  /** UTF-16 offset of its opening bracket. */
  readonly start: number;
  /** Behind its closing bracket. */
  readonly end: number;
  /** As they stand there, duplicates once. Never empty. */
  readonly numbers: readonly number[];
}

const MARK = /\[([\d\s,;，、；–-]+)\]|【([\d\s,;，、；–-]+)】/g;
const SEPARATOR = /[,;，、；]/;
const RANGE = /^(\d{1,6})\s*[–-]\s*(\d{1,6})$/;
/** What a bracket behind it makes an index of a list: a name, or a call. */
const INDEXED = /[\w$]$|[\w$]\([^()\n]{0,200}\)$/;
/** Of the text in front of a bracket, what can say that it is no mark. */
const LOOKS_BACK = 240;
/** Longer numbers are years and the like. */
const MAX_DIGITS = 3;

/** Numbers of a mark; undefined when it is none. `count` is how many documents there are. */
function numbersOf(inside: string, count: number): number[] | undefined {
  const digits = Math.max(MAX_DIGITS, String(count).length);
  const numbers = new Set<number>();
  const parts = inside.split(SEPARATOR).map((part) => part.trim());
  for (const part of parts) {
    const [, first, last] = RANGE.exec(part) ?? [];
    if (first !== undefined && last !== undefined) {
      const [from, to] = [Number(first), Number(last)];
      // Any other range is an interval that the answer speaks of.
      if (from < 1 || to > count || from >= to) return undefined;
      for (let number = from; number <= to; number++) numbers.add(number);
    } else {
      if (!/^\d+$/.test(part) || part.length > digits) return undefined;
      numbers.add(Number(part));
    }
  }
  // [0, 1] is an interval: nobody numbers documents from 0 who was told to begin with 1.
  return numbers.has(0) && parts.length > 1 ? undefined : [...numbers];
}

/** Whether Markdown or a language of programming has another use for the bracket. */
function isTaken(text: string, start: number, end: number, isChained: boolean): boolean {
  const next = text[end];
  if (next === '(') return true;
  // No farther back: else a text of nothing but marks would be read again for each.
  const near = text.slice(Math.max(0, start - LOOKS_BACK), start);
  const before = near.slice(near.lastIndexOf('\n') + 1);
  if (next === ':' && before.trim() === '') return true;
  if (isChained) return false;
  return /[\]\\]$/.test(before) || INDEXED.test(before);
}

/**
 * The marks of an answer, in order: [1], [1, 2], [1][3], [1-3], 【1】. Not marks: what stands in code or in the address of a link, a link
 * [1](url) or its definition [1]: url, an index a[1], years such as [2024], intervals such as [0, 1].
 */
export function citationMarks(text: string, count: number): CitationMark[] {
  const ranges = protectedRanges(text);
  const marks: CitationMark[] = [];
  let range = 0;
  let behindMark = -1;
  let behindOther = -1;
  for (const match of text.matchAll(MARK)) {
    const start = match.index;
    const end = start + match[0].length;
    while ((ranges[range]?.[1] ?? Number.POSITIVE_INFINITY) <= start) range++;
    if ((ranges[range]?.[0] ?? Number.POSITIVE_INFINITY) <= start) continue;
    const numbers = numbersOf(match[1] ?? match[2] ?? '', count);
    const isSquare = match[1] !== undefined;
    const isOther = isSquare && (start === behindOther || isTaken(text, start, end, start === behindMark));
    if (numbers === undefined || isOther) {
      behindOther = end;
      continue;
    }
    marks.push({ start, end, numbers });
    behindMark = end;
  }
  return marks;
}
