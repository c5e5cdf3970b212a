/** A piece of a text by its place: from `start` up to, not including, `end`. */
export interface TextSegment {
  readonly start: number;
  readonly end: number;
}

/** UTF-16 units that are segmented at a time: in Node.js 20 each segment costs a copy of them all, and each window some microseconds. */
const WINDOW = 2_048;

/** Dictionaries divide words of scripts without spaces, and look some words ahead and back. */
const MARGIN = 128;

/**
 * A text in pieces, end to end, in every script; sentences end at line breaks too. The same as `Intl.Segmenter` gives for the whole text,
 * but in time that grows with the text and not with its square, and the text is looked at only as far as the pieces are read.
 *
 * @example
 * for (const { start, end } of textSegments(text, 'sentence')) console.log(text.slice(start, end));
 * Source: Unicode Standard Annex 29.
 */
export function* textSegments(text: string, granularity: 'sentence' | 'word' | 'grapheme'): Generator<TextSegment> {
  // The language decides little, and the machine's must not decide anything.
  const segmenter = new Intl.Segmenter('en', { granularity });
  let start = 0;
  let from = 0;
  let size = WINDOW;
  while (start < text.length) {
    const before = start;
    const to = start + size;
    let anchor: number | undefined;
    for (const end of certainEnds(text, from, to, segmenter)) {
      if (end <= start) continue;
      yield { start, end };
      start = end;
      // A window that had to grow is large: too dear to copy for each of its segments.
      if (size > WINDOW) break;
      if (end > to - 3 * MARGIN) anchor ??= end;
    }
    size = start === before ? size * 2 : WINDOW;
    if (start > before) from = anchor ?? start;
  }
}

/** Ends of segments that what stands behind `to` cannot change; a segment begins at `from`. */
function* certainEnds(text: string, from: number, to: number, segmenter: Intl.Segmenter): Generator<number> {
  const isRest = to >= text.length;
  let last = from;
  for (const { index } of segmenter.segment(text.slice(from, to))) {
    if (!isRest && last > to - MARGIN) return;
    // One segment late: whether a full stop has ended a sentence may be for the first letter of the next to say, however far it is.
    if (last > from) yield last;
    last = from + index;
  }
  if (!isRest) return;
  if (last > from) yield last;
  yield text.length;
}
