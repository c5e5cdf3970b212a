import type { CallContext } from '../context/call-context.js';
import type { Document } from './document.js';

export type Documents = Iterable<Document> | AsyncIterable<Document>;

export interface DocumentReader {
  read(options?: CallContext): Promise<Document[]>;
  /** Bounded memory where the format allows it. */
  stream(options?: CallContext): AsyncIterable<Document>;
}

export interface DocumentTransformer {
  transform(documents: Documents, options?: CallContext): AsyncIterable<Document>;
}

export interface DocumentWriter {
  write(documents: Documents, options?: CallContext): Promise<void>;
}
