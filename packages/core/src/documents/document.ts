import type { Metadata, MetadataInput } from '../json/metadata.js';
import type { Media } from '../media/media.js';
import type { ContentFormat } from './content-format.js';

/** Exactly one of `text` and `media`. */
export interface Document {
  readonly id: string;
  readonly text?: string;
  readonly media?: Media;
  readonly metadata: Metadata;
  /** Set by searches; see the score rule of vector stores. Higher is closer. */
  readonly score?: number;
  readonly format?: ContentFormat;
}

export interface DocumentInput {
  /** Default a random UUID; blank is `invalid_argument`. */
  readonly id?: string | undefined;
  readonly text?: string | undefined;
  readonly media?: Media | undefined;
  readonly metadata?: MetadataInput | undefined;
  readonly score?: number | undefined;
  readonly format?: ContentFormat | undefined;
}

export declare function document(content: string | DocumentInput, metadata?: MetadataInput): Document;

/** A copy with some fields changed; `metadata` is merged, not replaced. */
export declare function withDocument(document: Document, change: DocumentInput): Document;

/** UUID (version 8) from SHA-256 over canonical JSON of text and metadata: the same on every machine. */
export declare function contentId(text: string, metadata?: MetadataInput): Promise<string>;
