import type { CallContext } from '../context/call-context.js';
import type { Document } from './document.js';

/** Documents at hand or on their way. */
export type Documents = Iterable<Document> | AsyncIterable<Document>;

/** Where documents come from. Source: `DocumentReader` of spring-ai-commons. */
export interface DocumentReader {
  /** All of them. Can be called again; every call reads anew. */
  read(options?: CallContext): Promise<Document[]>;
  /** One after the other; bounded memory where the format allows it. Leaving the loop closes what was opened. */
  stream(options?: CallContext): AsyncIterable<Document>;
}

/**
 * Turns documents into others: splits, enriches, filters. Lazy: nothing happens before the result is iterated, and no more is read than
 * is asked for. Source: `DocumentTransformer` of spring-ai-commons.
 */
export interface DocumentTransformer {
  transform(documents: Documents, options?: CallContext): AsyncIterable<Document>;
}

/** Where documents go to; every vector store is one. Source: `DocumentWriter` of spring-ai-commons. */
export interface DocumentWriter {
  /** Each `write` replaces what the writer writes to, such as one file: pipelines then hand over all documents at once. Default batches. */
  readonly takesWholeStream?: true;
  write(documents: Documents, options?: CallContext): Promise<void>;
}
