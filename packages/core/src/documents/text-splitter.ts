import type { CallContext } from '../context/call-context.js';
import type { Document } from './document.js';
import type { Documents, DocumentTransformer } from './document-pipeline.js';

/** Chunks get `parent_document_id`, `chunk_index`, `total_chunks`, start and end offsets, and a deterministic id. */
export declare abstract class TextSplitter implements DocumentTransformer {
  constructor(options?: { /** Default true. */ readonly copyContentFormatter?: boolean | undefined });
  /** Offsets into `text`, rising; end is exclusive. */
  protected abstract splitText(text: string): readonly { readonly start: number; readonly end: number }[];
  transform(documents: Documents, options?: CallContext): AsyncIterable<Document>;
}
