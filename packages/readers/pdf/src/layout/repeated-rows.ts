import { shownSize } from '../engine/page-runs.js';
import { lineOf } from './line.js';
import { type PageSketch, withoutRows } from './page-layout.js';
import { type Row, rowsOf } from './row.js';

/** Pages that are looked at on both sides of one: left and right pages have heads of their own. */
const NEIGHBOURS = 2;
/** Heads and feet have at most so many rows. */
const ROWS = 3;
/** Of the page's height, from its edges inwards, where they stand. */
const MARGIN = 0.2;
/** Points that a row may stand higher or lower on the next page. */
const SHIFT = 3;

interface Looked {
  readonly sketch: PageSketch;
  readonly edges: readonly { readonly row: Row; readonly key: string }[];
}

/** The pages without the first and last rows that stand in the same place, but for numbers, on a page next to them or next but one. */
export async function* withoutRepeatedRows(pages: AsyncIterable<PageSketch>): AsyncGenerator<PageSketch> {
  const window: Looked[] = [];
  let at = 0;
  for await (const sketch of pages) {
    window.push(looked(sketch));
    if (window.length > at + NEIGHBOURS) {
      yield cleared(window, at);
      if (at === NEIGHBOURS) window.shift();
      else at++;
    }
  }
  for (; at < window.length; at++) yield cleared(window, at);
}

function looked(sketch: PageSketch): Looked {
  const rows = rowsOf(sketch.segments);
  const { top, bottom } = heightOf(sketch);
  const margin = MARGIN * (bottom - top);
  const edges = [
    ...rows.slice(0, ROWS).filter((row) => row.baseline < top + margin),
    ...rows.slice(Math.max(ROWS, rows.length - ROWS)).filter((row) => row.baseline > bottom - margin),
  ];
  return { sketch, edges: edges.map((row) => ({ row, key: lineOf(row).text.replace(/\d+/g, '#') })) };
}

/** Of the page, in the direction of its text. */
function heightOf({ content }: PageSketch): { readonly top: number; readonly bottom: number } {
  const { width, height } = shownSize(content.box);
  const corners = [0, width].flatMap((x) => [0, height].map((y) => content.groups[0]?.place(x, y).y ?? y));
  return { top: Math.min(...corners), bottom: Math.max(...corners) };
}

function cleared(window: readonly Looked[], at: number): PageSketch {
  const { sketch, edges } = window[at] as Looked;
  const others = window.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1).filter((page) => page !== window[at]);
  const isRepeated = ({ row, key }: Looked['edges'][number]): boolean =>
    others.some((page) =>
      page.edges.some((other) => other.key === key && Math.abs(other.row.baseline - row.baseline) <= SHIFT),
    );
  return withoutRows(
    sketch,
    edges.filter(isRepeated).map(({ row }) => row),
  );
}
