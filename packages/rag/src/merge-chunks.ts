import type { Document } from '@vernal/core';
import { chunkPlace } from './chunk-place.js';

/** Without offsets, less than this at the end of one chunk and the beginning of the next may be the same by chance. */
const LEAST_OVERLAP = 12;

/** The longest end of `before` that `after` begins with, in steps as many as there are characters (Knuth, Morris and Pratt). */
function commonLength(before: string, after: string): number {
  const borders = new Uint32Array(after.length);
  const next = (matched: number, character: string | undefined): number => {
    let length = matched;
    while (length > 0 && after[length] !== character) length = borders[length - 1] ?? 0;
    return after[length] === character ? length + 1 : length;
  };
  for (let i = 1; i < after.length; i++) borders[i] = next(borders[i - 1] ?? 0, after[i]);
  let matched = 0;
  for (let i = Math.max(0, before.length - after.length); i < before.length; i++) {
    if (matched === after.length) matched = borders[matched - 1] ?? 0;
    matched = next(matched, before[i]);
  }
  return matched;
}

/**
 * What comes after `before`: no character twice, and a line break where something lies between them that nobody has. Offsets are believed
 * as far as the texts bear them out.
 */
function continuation(before: string, beforeEnd: number | undefined, chunk: Document): string {
  const { text = '' } = chunk;
  const span = chunkPlace(chunk)?.span;
  if (span !== undefined && beforeEnd !== undefined) {
    const overlap = beforeEnd - span.start;
    if (overlap < 0) return `\n${text}`;
    const shared = overlap === 0 ? '' : before.slice(-overlap);
    if (shared.startsWith(text)) return '';
    if (text.startsWith(shared)) return text.slice(overlap);
  }
  const common = commonLength(before, text);
  return common >= LEAST_OVERLAP ? text.slice(common) : `\n${text}`;
}

/**
 * Chunks that follow each other as one document: id, metadata and score are those of `base`, the text goes from the first to the last
 * without repeating what they share. Offsets in the metadata, where all have them, span the whole.
 */
export function mergeChunks(chunks: readonly Document[], base: Document): Document {
  const spans = chunks.map((chunk) => chunkPlace(chunk)?.span);
  let text = '';
  let end: number | undefined;
  for (const [at, chunk] of chunks.entries()) {
    text += at === 0 ? (chunk.text ?? '') : continuation(text, end, chunk);
    const own = spans[at]?.end;
    end = own === undefined ? undefined : Math.max(end ?? 0, own);
  }
  const [first] = spans;
  const known = first !== undefined && end !== undefined && spans.every((span) => span !== undefined);
  return {
    ...base,
    text,
    metadata: known ? { ...base.metadata, chunk_start: first.start, chunk_end: end ?? 0 } : base.metadata,
  };
}
