import type { Document, JsonValue } from '@vernal/core';

/** Where a chunk stood, as `TextSplitter` notes it. */
export interface ChunkPlace {
  readonly parentId: string;
  /** From 0. */
  readonly index: number;
  /** Offsets into the parent's text, where they are known and fit the text. */
  readonly span?: { readonly start: number; readonly end: number };
}

/** Undefined for what is no chunk, or has no text. */
export function chunkPlace({ text, metadata }: Document): ChunkPlace | undefined {
  const { parent_document_id: parentId, chunk_index: index, chunk_start: start, chunk_end: end } = metadata;
  if (text === undefined || typeof parentId !== 'string' || !isPlace(index)) return undefined;
  const hasSpan = isPlace(start) && isPlace(end) && end - start === text.length;
  return hasSpan ? { parentId, index, span: { start, end } } : { parentId, index };
}

function isPlace(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
