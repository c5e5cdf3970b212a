import { lineOf } from './line.js';
import type { JoinedLine } from './reading-lines.js';
import { rowsOf } from './row.js';
import { widthInColumns } from './script.js';
import type { Segment } from './segment.js';

/** A page of more would be a picture of spaces. */
const MOST_COLUMNS = 500;
/** Of the rows' usual distance: more is an empty line. */
const EMPTY_LINE = 1.6;

/** The rows of a page, its pieces put where they stand by as many spaces as fit. Nothing is dropped: what has no room goes behind. */
export function physicalLines(segments: readonly Segment[]): JoinedLine[] {
  const rows = rowsOf(segments);
  const width = columnWidth(segments);
  const margin = Math.min(...segments.map((segment) => segment.left));
  const distances = rows.slice(1).map((row, at) => row.baseline - (rows[at]?.baseline ?? 0));
  const usual = [...distances].sort((a, b) => a - b)[distances.length >> 2] ?? 0;
  return rows.map((row, at) => {
    let text = '';
    let columns = 0;
    let edge = Number.NEGATIVE_INFINITY;
    for (const segment of row.segments) {
      const piece = lineOf({ ...row, segments: [segment] }).text;
      const isApart = segment.left - edge > 0.18 * segment.size;
      const wanted = Math.min(Math.round((segment.left - margin) / width), MOST_COLUMNS);
      const column = Math.max(wanted, columns + (text !== '' && isApart ? 1 : 0));
      text += ' '.repeat(column - columns) + piece;
      columns = column + widthInColumns(piece);
      edge = segment.right;
    }
    const isFar = at === 0 || (distances[at - 1] ?? 0) > EMPTY_LINE * usual;
    return { line: { ...lineOf(row), text }, joint: { between: isFar ? '\n\n' : '\n', cut: 0 } };
  });
}

/** Points a letter, in the middle of all letters of the page. */
function columnWidth(segments: readonly Segment[]): number {
  const widths = segments
    .map(({ left, right, runs, length }) => {
      const columns = runs.reduce((sum, { text }) => sum + widthInColumns(text), 0);
      return { width: (right - left) / Math.max(1, columns), length };
    })
    .filter(({ width }) => width > 0)
    .sort((a, b) => a.width - b.width);
  const all = widths.reduce((sum, { length }) => sum + length, 0);
  let passed = 0;
  for (const { width, length } of widths) {
    passed += length;
    if (2 * passed >= all) return width;
  }
  return 4;
}
