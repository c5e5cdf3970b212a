import type { OutlineEntry } from '../engine/outline.js';
import type { Line } from '../layout/line.js';
import { type LaidOutPage, placeAmongLines } from '../layout/page-layout.js';

/** In sizes of the font: so far from its destination a heading is still looked for. */
const NEAR = 4;
/** How many lines lower a line may be that stands at the left of the destination, per size of the font that another is off. */
const SIDEWAYS = 0.05;

/**
 * The line that an entry of the outline begins with. Destinations are seldom exact, and many lead to a page only: the line that says the
 * entry's title is the one, else the first at or below the destination; without any, the first of the page.
 *
 * @param after - where the entry before it begins on this page: entries without a place come in their order
 */
export function lineOfEntry(entry: OutlineEntry, page: LaidOutPage, after: number): number {
  const lines = page.lines.slice(0, page.mainLines).map(({ line }) => line);
  const at = entry.y === undefined ? undefined : placeAmongLines(page.content, entry.x ?? 0, entry.y);
  const top = Math.min(...lines.map((line) => line.top));
  // Above all lines is where an entry leads to that means the page.
  if (at === undefined || at.y <= top) {
    const title = wordsOf(entry.title);
    const found = lines.findIndex((line, index) => index >= after && says(line, title));
    if (found >= 0) return found;
    if (at === undefined) return after;
  }
  return titleNear(lines, entry.title, at.y) ?? firstBelow(lines, entry.x === undefined ? undefined : at.x, at.y);
}

function titleNear(lines: readonly Line[], title: string, y: number): number | undefined {
  const words = wordsOf(title);
  const near = lines
    .map((line, index) => ({ line, index, distance: Math.abs(line.top - y) / line.size }))
    .filter(({ line, distance }) => distance <= NEAR && says(line, words))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.index;
}

function firstBelow(lines: readonly Line[], x: number | undefined, y: number): number {
  let best = lines.length;
  let least = Number.POSITIVE_INFINITY;
  lines.forEach(({ left, right, baseline, size }, index) => {
    const below = (baseline - y) / size;
    if (below < -0.1 || (x !== undefined && right <= x)) return;
    const score = below + (x === undefined ? 0 : (SIDEWAYS * Math.abs(left - x)) / size);
    if (score < least) [best, least] = [index, score];
  });
  return best;
}

/** Letters and digits alone: numbers of sections may be in the outline, on the page, or in both. */
function wordsOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function says({ text }: Line, title: string): boolean {
  if (title.length < 2) return false;
  const line = wordsOf(text);
  const bare = (words: string): string => words.replace(/^\d+/, '') || words;
  return line.startsWith(title) || bare(line).startsWith(bare(title)) || (line.length > 3 && title.startsWith(line));
}
