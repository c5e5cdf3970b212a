import { isSurrogatePair } from '../encoding/utf8.js';
import { isBlank, isInvisible, skipBlank, trimBlank } from './blank.js';
import type { CutChooser } from './cut-chooser.js';
import type { TokenRuler } from './token-ruler.js';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SplitLimits {
  /** Tokens a chunk. */
  readonly chunkSize: number;
  /** Tokens that a chunk repeats from the one before. */
  readonly overlap: number;
  /** A last chunk up to this length takes a share of the one before. */
  readonly minChunkLengthToEmbed: number;
}

/**
 * Cuts a text into spans of at most `chunkSize` tokens, trimmed of blanks at both ends. Every character that is not blank is in a
 * span; without overlap in exactly one.
 */
export function* splitByTokens(
  text: string,
  ruler: TokenRuler,
  cuts: CutChooser,
  limits: SplitLimits,
): Generator<Span> {
  const { chunkSize, overlap, minChunkLengthToEmbed } = limits;
  const textEnd = trimBlank(text, 0, text.length);
  let start = skipBlank(text, 0, textEnd);
  /** Where what no span has yet begins. */
  let covered = start;
  while (start < textEnd) {
    const cut = nextCut(start, covered);
    if (cut <= covered) {
      // The overlap and the next character do not fit together.
      start = covered;
      continue;
    }
    const end = trimBlank(text, start, cut);
    if (!isInvisible(text, start, end)) yield { start, end };
    covered = skipBlank(text, cut, textEnd);
    if (covered >= textEnd) return;
    // At most half of the chunk, so that each one brings something new.
    const repeated = overlap === 0 ? 0 : Math.min(overlap, Math.floor(ruler.count(start, end) / 2));
    start = repeated === 0 ? covered : skipBlank(text, ruler.back(end, repeated), covered);
  }

  /** A cut after `start` so that the trimmed span is within the limit; one character always counts as within. */
  function nextCut(start: number, above: number): number {
    let limit = ruler.fit(start, chunkSize);
    const firstEnd = start + (isSurrogatePair(text, start) ? 2 : 1);
    for (;;) {
      if (limit <= above) return limit;
      const cut = limit >= textEnd ? textEnd : leaveEnough(start, cuts.cut(text, start, limit, above), above);
      const end = trimBlank(text, start, cut);
      // What ends inside a piece may take a token more than the piece did.
      if (end <= firstEnd || ruler.count(start, end) <= chunkSize) return cut;
      limit = characterStart(end - 1);
    }
  }

  /** Moves the last cut back when it would leave less than a chunk's minimum behind it. */
  function leaveEnough(start: number, cut: number, above: number): number {
    const rest = textEnd - skipBlank(text, cut, textEnd);
    if (rest > minChunkLengthToEmbed || minChunkLengthToEmbed === 0) return cut;
    const latest = textEnd - minChunkLengthToEmbed - 1;
    // Blanks at the cut belong to neither side, so they do not count.
    const limit = characterStart(isBlank(text.charCodeAt(latest)) ? trimBlank(text, start, latest) - 1 : latest);
    const lowest = Math.max(above, start + minChunkLengthToEmbed);
    const earlier = limit > lowest ? cuts.cut(text, start, limit, lowest) : limit;
    return earlier > lowest && earlier < cut ? earlier : cut;
  }

  function characterStart(index: number): number {
    return isSurrogatePair(text, index - 1) ? index - 1 : index;
  }
}
