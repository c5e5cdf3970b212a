import type { TextRun } from './text-run.js';

/** Runs that stand beside each other without a wide gap: a line of a column, or the cell of a table. */
export interface Segment {
  readonly runs: readonly TextRun[];
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Of its longest run, as are `top`, `bottom` and `size`: what is raised or large beside it does not move the line. */
  readonly baseline: number;
  readonly size: number;
  readonly length: number;
}

/** In sizes of the font. Words of a justified line stand closer, columns do not. */
const WIDEST_SPACE = 1;
const DEEPEST_OVERLAP = 0.5;

/** Runs as the page draws them, joined. Whatever is drawn in another order meets again in its line. */
export function segmentsOf(runs: readonly TextRun[]): Segment[] {
  const segments: Segment[] = [];
  let open: TextRun[] = [];
  let [left, right] = [0, 0];
  let before: TextRun | undefined;
  for (const run of runs) {
    if (before !== undefined && isDrawnTwice(before, run)) {
      if (run.text === before.text) continue;
      open.pop();
    }
    if (before === undefined || !isBeside(left, right, before, run)) {
      if (open.length > 0) segments.push(segmentOf(open, left, right));
      open = [];
      [left, right] = [run.left, run.right];
    }
    open.push(run);
    left = Math.min(left, run.left);
    right = Math.max(right, run.right);
    before = run;
  }
  if (open.length > 0) segments.push(segmentOf(open, left, right));
  return segments;
}

/** At least half of the lower one's height is at the height of the other. */
export function isOneLine(one: Pick<TextRun, 'top' | 'bottom'>, other: Pick<TextRun, 'top' | 'bottom'>): boolean {
  const overlap = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return overlap >= 0.5 * Math.min(one.bottom - one.top, other.bottom - other.top);
}

function isBeside(left: number, right: number, before: TextRun, run: TextRun): boolean {
  if (!isOneLine(before, run)) return false;
  const size = Math.max(before.size, run.size);
  const gap = Math.max(run.left - right, left - run.right);
  return gap <= WIDEST_SPACE * size && gap >= -DEEPEST_OVERLAP * size;
}

/** Bold letters are imitated by drawing text twice, a little shifted; what follows may be of one piece with the second. */
function isDrawnTwice(before: TextRun, run: TextRun): boolean {
  const shift = 0.15 * run.size;
  return (
    run.text.startsWith(before.text) &&
    Math.abs(before.left - run.left) < shift &&
    Math.abs(before.baseline - run.baseline) < shift
  );
}

function segmentOf(runs: readonly TextRun[], left: number, right: number): Segment {
  let main = runs[0] as TextRun;
  let length = 0;
  for (const run of runs) {
    if (run.text.length > main.text.length) main = run;
    length += run.text.length;
  }
  const { top, bottom, baseline, size } = main;
  return { runs, left, right, top, bottom, baseline, size, length };
}
