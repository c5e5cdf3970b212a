import { textSegments } from '@vernal/core/adapter';

/** A piece of a text by its place. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Cuts a piece of a text into smaller ones, end to end. */
export type TextLevel = (text: string, piece: Span) => Iterable<Span>;

/** Sentences, words or characters as a reader sees them, in every script. */
export function segments(granularity: 'sentence' | 'word' | 'grapheme'): TextLevel {
  return function* (text, { start, end }) {
    for (const segment of textSegments(text.slice(start, end), granularity))
      yield { start: start + segment.start, end: start + segment.end };
  };
}

/** Cuts behind each occurrence, which stays with what is before it. */
export function behind(separator: string): TextLevel {
  return function* (text, { start, end }) {
    let from = start;
    for (;;) {
      const at = text.indexOf(separator, from);
      if (at === -1 || at + separator.length > end) break;
      yield { start: from, end: at + separator.length };
      from = at + separator.length;
    }
    if (from < end) yield { start: from, end };
  };
}

/** Without the white space around it; undefined where there is nothing else. */
export function trimmed(text: string, { start, end }: Span): Span | undefined {
  const piece = text.slice(start, end);
  const inner = piece.trim();
  if (inner === '') return undefined;
  const from = start + piece.length - piece.trimStart().length;
  return { start: from, end: from + inner.length };
}
