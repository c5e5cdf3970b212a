import type { Document, Documents } from '@vernal/core';

/** A chunk and the text that it was cut out of, as far as its chunks give it; undefined for what is no chunk. */
export interface ChunkInContext {
  readonly chunk: Document;
  readonly parent: ParentText | undefined;
}

/** A text put together out of its chunks. */
export interface ParentText {
  readonly text: string;
  /** Where the chunk begins in it. */
  readonly at: number;
}

interface Place {
  readonly parentId: string;
  readonly start: number;
}

function placeOf({ text, metadata }: Document): Place | undefined {
  const { parent_document_id: parentId, chunk_start: start } = metadata;
  return text !== undefined && typeof parentId === 'string' && typeof start === 'number'
    ? { parentId, start }
    : undefined;
}

/** Chunks that follow each other in one parent, which is how splitters give them; holds one parent at a time. */
export async function* chunksInContext(documents: Documents): AsyncGenerator<ChunkInContext> {
  let group: Document[] = [];
  let parentId: string | undefined;
  for await (const document of documents) {
    const place = placeOf(document);
    if (place === undefined || place.parentId !== parentId) {
      yield* inContext(group);
      group = [];
    }
    parentId = place?.parentId;
    if (place === undefined) yield { chunk: document, parent: undefined };
    else group.push(document);
  }
  yield* inContext(group);
}

function* inContext(chunks: readonly Document[]): Generator<ChunkInContext> {
  let text = '';
  /** Of the parent, what is in `text` already. */
  let end = placeOf(chunks[0] ?? { id: '', metadata: {} })?.start ?? 0;
  const starts = chunks.map((chunk) => {
    const start = placeOf(chunk)?.start ?? end;
    const own = chunk.text ?? '';
    // White space between chunks is in none of them.
    if (start > end) text += '\n';
    const at = text.length - Math.max(0, end - start);
    text += own.slice(Math.max(0, end - start));
    end = Math.max(end, start + own.length);
    return Math.max(0, at);
  });
  for (const [index, chunk] of chunks.entries()) yield { chunk, parent: { text, at: starts[index] ?? 0 } };
}
