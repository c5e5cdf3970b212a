import { hyphenJoint, type Joint, type Words } from './hyphens.js';
import type { Line } from './line.js';
import { endsUnspaced, startsUnspaced } from './script.js';

/** In usual distances of lines: more is a new block. */
const FARTHEST_LINE = 1.25;
/** In sizes of the font: more is a new block, whatever is usual. */
const FARTHEST_BASELINE = 2.2;
const INDENT = 0.8;
/** Of the width of all lines: narrower blocks are code, verses and addresses, whose longest line tells nothing. */
const NARROWEST_COLUMN = 0.5;
/** Of the width of all lines: a sentence goes on behind a line that reaches so far, though another word would have fitted. */
const LONG_LINE = 0.75;
const SAME_SIZE = 0.12;
const BULLET = /^(?:[•‣◦▪▫●○■□◆➢➤✓*–—-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])[ \t]/;
/** Dots that lead to a number of a page. */
const LEADER = /(?:\.{4}|(?:\. ){3}|…{2})/;
/** Of a line of a program whose next ones stand further in. */
const OPENING = /[{([:,]$/;
const SENTENCE_END = /[.!?:;…。！？」』)\]"”»]$/;

export const NEW_BLOCK: Joint = { between: '\n\n', cut: 0 };
const NEW_LINE: Joint = { between: '\n', cut: 0 };
const SAME_LINE: Joint = { between: ' ', cut: 0 };
const CLOSE_UP: Joint = { between: '', cut: 0 };

/** Where a line begins and ends, growing in the direction it is read in. */
const startOf = (line: Line): number => (line.isRtl ? -line.right : line.left);
const endOf = (line: Line): number => (line.isRtl ? -line.left : line.right);

/**
 * How each line of a region goes on from the one above it: as a new block, a new line, or the same one.
 *
 * @param words - those of the page; left out: words that are broken at the end of a line stay so
 */
export function jointsOf(lines: readonly Line[], words: Words | undefined): Joint[] {
  const edge = Math.max(...lines.map(endOf));
  const blocks = blocksOf(lines, edge);
  const flush = words === undefined ? undefined : flushEnd(lines, edge);
  const joints: Joint[] = [];
  for (const [at, below] of lines.entries()) {
    const above = lines[at - 1];
    const block = blocks[at] as Block;
    const hyphen =
      above === undefined || words === undefined || !isSameSize(above, below, SAME_SIZE)
        ? undefined
        : joined(above, below, words);
    if (above === undefined) joints.push(NEW_BLOCK);
    else if (hyphen !== undefined && (block.first < at || isClose(above, below))) joints.push(hyphen);
    else if (block.first === at) joints.push(NEW_BLOCK);
    else {
      const before = joints[at - 1] as Joint;
      const joint = within(lines, at, block.edge, before === SAME_LINE || before === CLOSE_UP);
      const isBroken = joint === SAME_LINE && words !== undefined && lostItsHyphen(above, below, flush, words);
      joints.push(isBroken ? CLOSE_UP : joint);
    }
  }
  return joints;
}

/** Lines at usual distances, in letters of one size. */
interface Block {
  readonly first: number;
  /** Where its lines could end: where its longest one does, if there are enough of them to tell. */
  readonly edge: number;
}

/** The block of each line. */
function blocksOf(lines: readonly Line[], edge: number): Block[] {
  const farthest = FARTHEST_LINE * usualDistance(lines) + 0.5;
  const start = Math.min(...lines.map(startOf));
  const blocks: Block[] = [];
  let first = 0;
  for (let at = 1; at <= lines.length; at++) {
    const [above, below] = [lines[at - 1] as Line, lines[at]];
    const goesOn =
      below !== undefined &&
      below.baseline - above.baseline <= farthest &&
      isClose(above, below) &&
      isSameSize(above, below, SAME_SIZE);
    if (goesOn) continue;
    const own = lines.slice(first, at);
    const longest = Math.max(...own.map(endOf));
    const isColumn = own.length >= 4 && longest - start >= NARROWEST_COLUMN * (edge - start);
    const block = { first, edge: isColumn ? longest : edge };
    for (const _ of own) blocks.push(block);
    first = at;
  }
  return blocks;
}

const isClose = (above: Line, below: Line): boolean =>
  below.baseline - above.baseline <= FARTHEST_BASELINE * Math.max(above.size, below.size);

function joined(above: Line, below: Line, words: Words): Joint | undefined {
  return above.hasCells || below.hasCells ? undefined : hyphenJoint(above.text, below.text, words);
}

/** Between two lines of one block. `goesOn`: the one above is not the first of its paragraph. */
function within(lines: readonly Line[], at: number, edge: number, goesOn: boolean): Joint {
  const [above, below] = [lines[at - 1] as Line, lines[at] as Line];
  if (above.hasCells || below.hasCells || LEADER.test(above.text) || LEADER.test(below.text)) return NEW_LINE;
  if (BULLET.test(below.text)) return NEW_LINE;
  const shift = (startOf(below) - startOf(above)) / below.size;
  if (!isFull(above, below, edge) && !goesOnBelow(above, below, edge)) {
    return shift > INDENT && !OPENING.test(above.text) ? NEW_BLOCK : NEW_LINE;
  }
  if (shift > INDENT && !BULLET.test(above.text) && !isHanging(lines, at)) return NEW_BLOCK;
  if (shift < -INDENT && goesOn && hangs(lines, at - 1)) return NEW_LINE;
  return together(above, below);
}

function together(above: Line, below: Line): Joint {
  return endsUnspaced(above.text) && startsUnspaced(below.text) ? CLOSE_UP : SAME_LINE;
}

/** The first word of the line below would not have fitted. */
function isFull(above: Line, below: Line, edge: number): boolean {
  const first = startsUnspaced(below.text) ? 1 : Math.max(1, below.text.search(/\s|$/));
  const perLetter = (below.right - below.left) / below.text.length;
  return endOf(above) + first * perLetter + 0.2 * above.size > edge - 0.1 * above.size;
}

/** Programs that break a paragraph as a whole leave lines shorter than they could be. */
function goesOnBelow(above: Line, below: Line, edge: number): boolean {
  const start = Math.min(startOf(above), startOf(below));
  const isLong = endOf(above) - start > LONG_LINE * (edge - start);
  return isLong && /^\p{Ll}/u.test(below.text) && /[\p{L}\p{N},]$/u.test(above.text);
}

/** Lines after the first of an entry stand further in, all alike; an indented line begins a paragraph. */
function isHanging(lines: readonly Line[], at: number): boolean {
  const [here, next] = [lines[at] as Line, lines[at + 1]];
  return next !== undefined && Math.abs(startOf(next) - startOf(here)) < 0.3 * here.size;
}

/** True of a line that stands further in than the one before it, as the last line of an entry does. */
function hangs(lines: readonly Line[], at: number): boolean {
  for (let above = at - 1; above >= 0; above--) {
    const shift = (startOf(lines[at] as Line) - startOf(lines[above] as Line)) / (lines[at] as Line).size;
    if (shift > INDENT) return true;
    if (shift < -0.3) return false;
  }
  return false;
}

/** Where the lines of justified text end; undefined where text is ragged. */
function flushEnd(lines: readonly Line[], edge: number): number | undefined {
  const ends = lines.filter((line) => endOf(line) > edge - line.size).map(endOf);
  const middle = ends.sort((a, b) => a - b)[ends.length >> 1] ?? edge;
  const flush = ends.filter((end) => Math.abs(end - middle) < 0.25).length;
  return flush >= 4 && flush >= 0.6 * ends.length ? middle : undefined;
}

/**
 * pdf.js drops soft hyphens, which some programs put where they break a word. What gives it away is that a line of justified text ends
 * just before the others, by the width of a hyphen.
 */
function lostItsHyphen(above: Line, below: Line, flush: number | undefined, words: Words): boolean {
  const short = flush === undefined ? 0 : (flush - endOf(above)) / above.size;
  if (short < 0.1 || short > 0.45) return false;
  const first = /(?:^|[^\p{L}\p{N}])(\p{L}{2,})$/u.exec(above.text)?.[1];
  const second = /^\p{Ll}{2,}/u.exec(below.text)?.[0];
  return first !== undefined && second !== undefined && !(words.has(first) && words.has(second));
}

/** How the first line of a column goes on from the last one of the column before it. */
export function acrossColumns(above: Line, below: Line, words: Words | undefined): Joint {
  if (!isSameSize(above, below, 0.05) || above.hasCells || below.hasCells) return NEW_BLOCK;
  const hyphen = words === undefined ? undefined : hyphenJoint(above.text, below.text, words);
  if (hyphen !== undefined) return hyphen;
  const goesOn = /^\p{Ll}/u.test(below.text) || startsUnspaced(below.text);
  return goesOn && !SENTENCE_END.test(above.text) ? together(above, below) : NEW_BLOCK;
}

const isSameSize = (above: Line, below: Line, tolerance: number): boolean =>
  Math.abs(above.size - below.size) <= tolerance * Math.max(above.size, below.size);

/** The most frequent distance of two lines, the smaller of equals. */
function usualDistance(lines: readonly Line[]): number {
  const distances = lines
    .slice(1)
    .map((line, at) => line.baseline - (lines[at] as Line).baseline)
    .sort((a, b) => a - b);
  let best = distances[0] ?? 0;
  let most = 0;
  let from = 0;
  distances.forEach((distance, at) => {
    while (distance - (distances[from] as number) > 0.08 * distance) from++;
    if (at - from + 1 > most) {
      most = at - from + 1;
      best = distances[from + ((at - from) >> 1)] as number;
    }
  });
  return best;
}
