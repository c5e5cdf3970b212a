import type { Row } from './row.js';
import { closeUnspaced, rtlLetters } from './script.js';
import type { TextRun } from './text-run.js';

/** A line of text, as it is printed. */
export interface Line {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly baseline: number;
  readonly size: number;
  /** Runs from right to left. */
  readonly isRtl: boolean;
  /** Has gaps such as stand between the cells of a table. */
  readonly hasCells: boolean;
}

/** In sizes of the font. */
const NARROWEST_SPACE = 0.18;
const NARROWEST_CELL_GAP = 2;

/** A row's text: its runs in the order in which they are read, with spaces where there are gaps, and a tab where there is a wide one. */
export function lineOf({ segments, top, baseline, size }: Row): Line {
  const runs = segments.flatMap((segment) => segment.runs).sort((a, b) => a.left - b.left);
  const isRtl = runs.some((run) => run.isRtl) && isMostlyRtl(runs);
  let text = '';
  let hasCells = false;
  let before: TextRun | undefined;
  for (const run of inReadingOrder(runs, isRtl)) {
    if (before !== undefined) {
      const gap = Math.max(run.left - before.right, before.left - run.right);
      const unit = Math.min(before.size, run.size);
      if (gap >= NARROWEST_CELL_GAP * unit) {
        text += '\t';
        hasCells = true;
      } else if (gap > NARROWEST_SPACE * unit || (run.isSpaced && gap > -NARROWEST_SPACE * unit)) text += ' ';
    }
    text += run.text;
    before = run;
  }
  const left = runs[0]?.left ?? 0;
  const right = Math.max(...runs.map((run) => run.right));
  return { text: closeUnspaced(text), left, right, top, baseline, size, isRtl, hasCells };
}

function isMostlyRtl(runs: readonly TextRun[]): boolean {
  let rtl = 0;
  let letters = 0;
  for (const { text } of runs) {
    rtl += rtlLetters(text);
    letters += text.match(/\p{L}/gu)?.length ?? 0;
  }
  return 2 * rtl > letters;
}

/** Runs that go against the line keep the order they have among themselves. The letters of a run are in order already. */
function inReadingOrder(runs: readonly TextRun[], isRtl: boolean): TextRun[] {
  if (!runs.some((run) => run.isRtl)) return [...runs];
  const ordered: TextRun[] = [];
  let against: TextRun[] = [];
  for (const run of isRtl ? runs.toReversed() : runs) {
    if (run.isRtl !== isRtl) {
      against.push(run);
      continue;
    }
    ordered.push(...against.reverse(), run);
    against = [];
  }
  ordered.push(...against.reverse());
  return ordered;
}
