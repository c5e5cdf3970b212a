import { regionsOf } from './columns.js';
import { type Joint, type Words, wordsOf } from './hyphens.js';
import { acrossColumns, jointsOf, NEW_BLOCK } from './joints.js';
import { type Line, lineOf } from './line.js';
import type { Segment } from './segment.js';

/** A line, and how it goes on from the one before it. */
export interface JoinedLine {
  readonly line: Line;
  readonly joint: Joint;
}

/** The lines of a page in the order in which they are read; those of a paragraph are joined by a space. */
export function readingLines(segments: readonly Segment[], joinHyphenated: boolean): JoinedLine[] {
  const regions = regionsOf(segments).map(({ rows, isContinued }) => ({ isContinued, lines: rows.map(lineOf) }));
  const words = joinHyphenated ? wordsOf(regions) : undefined;
  const joined: JoinedLine[] = [];
  for (const { lines, isContinued } of regions) {
    const before = joined.at(-1)?.line;
    const joints = jointsOf(lines, words);
    for (const [at, line] of lines.entries()) {
      const crosses = at === 0 && isContinued && before !== undefined;
      joined.push({ line, joint: crosses ? acrossColumns(before, line, words) : (joints[at] as Joint) });
    }
  }
  return joined;
}

const NO_WORDS: Words = { has: () => false };

/** How the first line of a page goes on from the last one of the page before. */
export function pageJoint(
  above: JoinedLine,
  below: JoinedLine,
  { layout, joinHyphenated }: { readonly layout: 'reading' | 'physical'; readonly joinHyphenated: boolean },
): Joint {
  return layout === 'physical'
    ? NEW_BLOCK
    : acrossColumns(above.line, below.line, joinHyphenated ? NO_WORDS : undefined);
}
