import { type PageBox, shownPoint, shownSize } from '../engine/page-runs.js';
import type { PageContent } from '../engine/pdf-file.js';
import { physicalLines } from './physical-lines.js';
import { type JoinedLine, readingLines } from './reading-lines.js';
import { type Row, rowsOf } from './row.js';
import { type Segment, segmentsOf } from './segment.js';
import type { RunGroup } from './text-run.js';

/** What of a page's text is left out, and how the rest is put together. */
export interface LayoutRules {
  readonly layout: 'reading' | 'physical';
  readonly joinHyphenated: boolean;
  /** In points from the edge of what is shown. */
  readonly topMargin: number;
  readonly bottomMargin: number;
}

/** A page between reading and layout: lines may still be taken away. */
export interface PageSketch {
  readonly content: PageContent;
  /** The text that runs in the page's main direction. */
  readonly segments: readonly Segment[];
  /** Text that runs in other directions. */
  readonly asides: readonly (readonly Segment[])[];
}

/** A page's lines, in the order in which they are read. */
export interface LaidOutPage {
  readonly content: PageContent;
  readonly lines: readonly JoinedLine[];
  /** How many of the lines, from the first, run in the page's main direction; places on the page are places in these. */
  readonly mainLines: number;
}

export function sketchOf(content: PageContent, rules: LayoutRules): PageSketch {
  const [main = [], ...asides] = content.groups.map((group) => segmentsOf(runsWithin(group, content.box, rules)));
  return { content, segments: main, asides };
}

/** The sketch without these rows. */
export function withoutRows(sketch: PageSketch, rows: readonly Row[]): PageSketch {
  if (rows.length === 0) return sketch;
  const gone = new Set(rows.flatMap((row) => row.segments));
  return { ...sketch, segments: sketch.segments.filter((segment) => !gone.has(segment)) };
}

/** The sketch without so many of its first and last rows. */
export function withoutEdges(sketch: PageSketch, top: number, bottom: number): PageSketch {
  if (top === 0 && bottom === 0) return sketch;
  const rows = rowsOf(sketch.segments);
  return withoutRows(sketch, [...rows.slice(0, top), ...rows.slice(Math.max(top, rows.length - bottom))]);
}

export function layOut({ content, segments, asides }: PageSketch, rules: LayoutRules): LaidOutPage {
  const arrange = (part: readonly Segment[]): JoinedLine[] =>
    rules.layout === 'physical' ? physicalLines(part) : readingLines(part, rules.joinHyphenated);
  const main = arrange(segments);
  return { content, lines: [...main, ...asides.flatMap(arrange)], mainLines: main.length };
}

/** Lines of one page, or of several one after the other, as text. */
export function textOf(lines: readonly JoinedLine[]): string {
  const pieces: string[] = [];
  for (const { line, joint } of lines) {
    const before = pieces.pop();
    if (before !== undefined) pieces.push(joint.cut === 0 ? before : before.slice(0, -joint.cut), joint.between);
    pieces.push(line.text);
  }
  return pieces.join('');
}

function runsWithin(
  { runs, place }: RunGroup,
  box: PageBox,
  { topMargin, bottomMargin }: LayoutRules,
): RunGroup['runs'] {
  if (topMargin === 0 && bottomMargin === 0) return runs;
  const { height } = shownSize(box);
  // A turn keeps lengths, so its inverse is its transpose.
  const down = place(0, 1);
  return runs.filter(({ left, baseline }) => {
    const y = left * down.x + baseline * down.y;
    return y >= topMargin && y <= height - bottomMargin;
  });
}

/** Where a place of the page lies among its main lines. */
export function placeAmongLines(
  content: PageContent,
  x: number,
  y: number,
): { readonly x: number; readonly y: number } {
  const [shownX, shownY] = shownPoint(content.box, x, y);
  return content.groups[0]?.place(shownX, shownY) ?? { x: shownX, y: shownY };
}
