import type { Row } from './row.js';
import { rowsOf } from './row.js';
import { rtlLetters } from './script.js';
import type { Segment } from './segment.js';

/** What is read line by line: a column, or what spans all of them. */
export interface Region {
  readonly rows: readonly Row[];
  /** True where the column before it goes on at its top. */
  readonly isContinued: boolean;
}

/** The empty space between two columns. */
interface Gutter {
  readonly left: number;
  readonly right: number;
  /** Indexes of the rows it passes through, both inclusive. */
  readonly first: number;
  readonly last: number;
}

/** In sizes of the font. */
const NARROWEST_GUTTER = 0.6;
const FEWEST_LINES = 3;
/** Letters in an average line of a column; cells of tables have fewer. */
const FEWEST_LETTERS = 14;
/** Of its column's width, what the middling line fills; cells of tables end anywhere. */
const LEAST_FILLED = 0.78;
/** Pages of more pieces are tables or noise; looking for columns takes the square of their number. */
const MOST_SEGMENTS = 2_000;
const MOST_CUTS = 64;

/** The regions of a page in the order in which they are read: what is above columns, the columns, what is below them. */
export function regionsOf(segments: readonly Segment[]): Region[] {
  if (segments.length > MOST_SEGMENTS) return [{ rows: rowsOf(segments), isContinued: false }];
  const isRtl = readsFromRight(segments);
  const regions: Region[] = [];
  let cuts = 0;
  const read = (part: readonly Segment[], isContinued: boolean): void => {
    if (part.length === 0) return;
    const rows = rowsOf(part);
    const gutter = cuts < MOST_CUTS ? widestGutter(rows) : undefined;
    if (gutter === undefined) {
      regions.push({ rows, isContinued });
      return;
    }
    cuts++;
    read(segmentsIn(rows.slice(0, gutter.first)), isContinued);
    const columns = sides(rows, gutter);
    const [one, other] = isRtl ? columns.reverse() : columns;
    read(one ?? [], gutter.first === 0 && isContinued);
    read(other ?? [], true);
    read(segmentsIn(rows.slice(gutter.last + 1)), false);
  };
  read(segments, false);
  return regions;
}

/** Whether most letters are of a script that runs from right to left. */
export function readsFromRight(segments: readonly Segment[]): boolean {
  let rtl = 0;
  let all = 0;
  for (const { runs, length } of segments) {
    all += length;
    for (const { isRtl, text } of runs) if (isRtl) rtl += rtlLetters(text);
  }
  return rtl > 0.4 * all;
}

const segmentsIn = (rows: readonly Row[]): Segment[] => rows.flatMap((row) => row.segments);

/** The one with most text beside it. */
function widestGutter(rows: readonly Row[]): Gutter | undefined {
  if (rows.length < FEWEST_LINES) return undefined;
  const found: Gutter[] = [];
  let best: Gutter | undefined;
  let most = 0;
  for (const [index, row] of rows.entries()) {
    for (const [left, right] of gapsIn(row, rows[index + 1])) {
      if (found.some((known) => isWithin(known, index, left, right))) continue;
      const grown = grow(rows, index, left, right);
      found.push(grown);
      const gutter = trimmed(rows, grown);
      const text = textBeside(rows, gutter);
      if (text > most) [best, most] = [gutter, text];
    }
  }
  return best;
}

function isWithin({ first, last, left, right }: Gutter, row: number, from: number, to: number): boolean {
  return row >= first && row <= last && from <= left && to >= right;
}

/** The gaps between neighbours at one height. Lines of columns that are not level overlap those of the next row. */
function* gapsIn(row: Row, next: Row | undefined): Generator<readonly [left: number, right: number]> {
  const level = next?.segments.filter((segment) => segment.top < row.bottom) ?? [];
  const beside = level.length === 0 ? row.segments : [...row.segments, ...level].sort((a, b) => a.left - b.left);
  let edge = Number.NEGATIVE_INFINITY;
  for (const { left, right, size } of beside) {
    if (edge > Number.NEGATIVE_INFINITY && left - edge >= NARROWEST_GUTTER * size) yield [edge, left];
    edge = Math.max(edge, right);
  }
}

/** Up and down until something crosses the gap. */
function grow(rows: readonly Row[], at: number, from: number, to: number): Gutter {
  let [left, right] = [from, to];
  const passes = (row: Row): boolean => {
    let [newLeft, newRight] = [left, right];
    for (const segment of row.segments) {
      if (segment.right <= newLeft || segment.left >= newRight) continue;
      if (segment.left < newLeft) newLeft = segment.right;
      else if (segment.right > newRight) newRight = segment.left;
      else return false;
    }
    if (newRight - newLeft < NARROWEST_GUTTER * row.size) return false;
    [left, right] = [newLeft, newRight];
    return true;
  };
  let last = at;
  while (last + 1 < rows.length && passes(rows[last + 1] as Row)) last++;
  let first = at;
  while (first > 0 && passes(rows[first - 1] as Row)) first--;
  return { left, right, first, last };
}

/** Without one or two lines that stand apart above or below, such as the head and the foot of the page. */
function trimmed(rows: readonly Row[], gutter: Gutter): Gutter {
  const heights: number[] = [];
  for (let at = gutter.first; at < gutter.last; at++) heights.push(distance(rows, at));
  const usual = [...heights].sort((a, b) => a - b)[heights.length >> 1] ?? 0;
  // Rows of columns that are not level come in turns: their distances say little.
  const isApart = (at: number): boolean => distance(rows, at) > 1.8 * Math.max(usual, 1.2 * (rows[at]?.size ?? 0));
  let { first, last } = gutter;
  for (const lines of [2, 1]) {
    if (first === gutter.first && last - first >= lines && isApart(first + lines - 1)) first += lines;
    if (last === gutter.last && last - first >= lines && isApart(last - lines)) last -= lines;
  }
  return { ...gutter, first, last };
}

const distance = (rows: readonly Row[], at: number): number =>
  (rows[at + 1]?.baseline ?? 0) - (rows[at]?.baseline ?? 0);

function sides(rows: readonly Row[], { left, first, last }: Gutter): [Segment[], Segment[]] {
  const before: Segment[] = [];
  const after: Segment[] = [];
  for (const segment of segmentsIn(rows.slice(first, last + 1))) (segment.right <= left ? before : after).push(segment);
  return [before, after];
}

/** Letters in the shorter column; 0 where a side is no column of text, or none has enough lines to tell. */
function textBeside(rows: readonly Row[], gutter: Gutter): number {
  const columns = sides(rows, gutter).map((side) => ({ side, lines: rowsOf(side) }));
  if (columns.every(({ lines }) => lines.length < FEWEST_LINES)) return 0;
  return Math.min(...columns.map(({ side, lines }) => textOf(side, lines)));
}

function textOf(side: readonly Segment[], lines: readonly Row[]): number {
  if (lines.length === 0) return 0;
  const letters = side.reduce((sum, segment) => sum + segment.length, 0);
  if (letters / lines.length < FEWEST_LETTERS) return 0;
  const left = Math.min(...side.map((segment) => segment.left));
  const right = Math.max(...side.map((segment) => segment.right));
  const filled = lines
    .map(({ segments }) => Math.max(...segments.map((one) => one.right)) - (segments[0] as Segment).left)
    .sort((a, b) => a - b);
  return (filled[filled.length >> 1] ?? 0) >= LEAST_FILLED * (right - left) ? letters : 0;
}
