import { type Span, type TextLevel, trimmed } from './text-levels.js';
import type { ChunkSize } from './text-measure.js';

/** A piece that fits, with how long it is by itself. */
interface Unit extends Span {
  readonly size: number;
}

/**
 * Chunks of a piece of a text, none larger than it may be unless a single character is: pieces of the first level are put together as long as
 * they fit, and one that is too large by itself is cut by the next level. Chunks have no white space around them; every other character is
 * in one of them. Time is linear in the length of the text.
 */
export function* splitByLevels(
  text: string,
  piece: Span,
  levels: readonly TextLevel[],
  size: ChunkSize,
): Generator<Span> {
  const { chunkSize, overlap, measure } = size;
  let chunk: Unit[] = [];
  let length = 0;
  /** Units at the beginning of the chunk that the one before has, too. */
  let repeated = 0;
  const lengthOf = (units: readonly Unit[], next?: Unit): number =>
    measure(text.slice(units[0]?.start ?? next?.start, (next ?? units.at(-1))?.end));
  for (const unit of fittingUnits(text, piece, levels, size)) {
    let joined = length + unit.size + gap(chunk.at(-1), unit);
    // Together they may be shorter than one by one.
    if (joined > chunkSize && chunk.length > 0) joined = lengthOf(chunk, unit);
    while (joined > chunkSize && chunk.length > 0) {
      if (chunk.length > repeated) {
        yield spanOf(chunk);
        chunk = tail(chunk, Math.min(overlap, length / 2));
      } else {
        // What is repeated does not fit together with what is new.
        chunk = chunk.slice(1);
      }
      repeated = chunk.length;
      length = chunk.length === 0 ? 0 : lengthOf(chunk);
      joined = chunk.length === 0 ? unit.size : lengthOf(chunk, unit);
    }
    chunk.push(unit);
    length = joined;
  }
  if (chunk.length > repeated) yield spanOf(chunk);
}

/** White space between two pieces is of neither; at most so much is added by it. */
function gap(before: Span | undefined, next: Span): number {
  return before === undefined ? 0 : next.start - before.end;
}

function spanOf(units: readonly Unit[]): Span {
  return { start: units[0]?.start ?? 0, end: units.at(-1)?.end ?? 0 };
}

/** The last units that have at most so much together; never all of them. */
function tail(units: readonly Unit[], most: number): Unit[] {
  let left = most;
  let from = units.length;
  while (from > 1) {
    const unit = units[from - 1];
    const next = units[from];
    left -= (unit?.size ?? 0) + (next === undefined ? 0 : gap(unit, next));
    if (left < 0) break;
    from--;
  }
  return units.slice(from);
}

function* fittingUnits(text: string, piece: Span, levels: readonly TextLevel[], size: ChunkSize): Generator<Unit> {
  const unit = trimmed(text, piece);
  if (unit === undefined) return;
  const [level, ...finer] = levels;
  const length = size.measure(text.slice(unit.start, unit.end));
  if (length <= size.chunkSize || level === undefined) {
    yield { ...unit, size: length };
    return;
  }
  for (const part of level(text, unit)) yield* fittingUnits(text, part, finer, size);
}
