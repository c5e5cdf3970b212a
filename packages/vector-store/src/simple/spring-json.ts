import type { Document } from '@vernal/core';
import type { ContentExpectation } from './content-checks.js';
import { checkDimensions, putChecked } from './content-checks.js';
import { StoreContent } from './store-content.js';
import { storeRead } from './store-read-error.js';
import { storedDocument } from './stored-document.js';

const WHAT_IS_READ = 'Only files that save() wrote and the JSON of Spring AI’s SimpleVectorStore are read';

/** One entry; `content` is what early releases called `text`. */
interface SpringEntry {
  readonly id?: unknown;
  readonly text?: unknown;
  readonly content?: unknown;
  readonly metadata?: unknown;
  readonly embedding?: unknown;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    // Drops a byte order mark.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw storeRead('it is neither of the two formats', WHAT_IS_READ, cause);
  }
  if (isObject(value)) return value;
  throw storeRead('it is JSON, but no object of documents', WHAT_IS_READ);
}

function readEntry(key: string, entry: SpringEntry, place: number): Document {
  const { id, text, content, metadata } = entry;
  try {
    // Checked field by field by the factory. Entries without an id have their key for one.
    return storedDocument({ id: id ?? key, text: text ?? content, metadata } as Document);
  } catch (cause) {
    throw storeRead(`document ${place} is no document`, WHAT_IS_READ, cause);
  }
}

function readEmbedding({ embedding }: SpringEntry, place: number): Float32Array {
  if (Array.isArray(embedding) && embedding.length > 0 && embedding.every((value) => typeof value === 'number')) {
    return Float32Array.from(embedding);
  }
  throw storeRead(`document ${place} has no embedding`, WHAT_IS_READ);
}

/**
 * The file of Spring AI's SimpleVectorStore: an object of id to `{ id, text, metadata, embedding }`.
 *
 * Source: Spring AI `SimpleVectorStore.save`, `SimpleVectorStoreContent`.
 */
export function readSpringJson(bytes: Uint8Array, expected: ContentExpectation): StoreContent {
  const documents: Document[] = [];
  const vectors: Float32Array[] = [];
  for (const [key, entry] of Object.entries(parse(bytes))) {
    const place = documents.length + 1;
    if (!isObject(entry)) throw storeRead(`entry ${place} is no document`, WHAT_IS_READ);
    const vector = readEmbedding(entry, place);
    checkDimensions(vector.length, { ...expected, dimensions: expected.dimensions ?? vectors[0]?.length });
    documents.push(readEntry(key, entry, place));
    vectors.push(vector);
  }
  const content = new StoreContent();
  putChecked(content, documents, vectors, expected.metric);
  return content;
}
