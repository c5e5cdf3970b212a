import type { Document } from './document.js';

/** How a document becomes text. Plain data; templates know `{key}` and `{value}`, and `{metadata_string}` and `{content}`. */
export interface ContentFormat {
  /** Default `{key}: {value}`. */
  readonly metadataTemplate?: string;
  /** Default a newline. */
  readonly metadataSeparator?: string;
  /** Default `{metadata_string}`, an empty line, `{content}`; without metadata just the content. */
  readonly textTemplate?: string;
  readonly excludedEmbedMetadataKeys?: readonly string[];
  readonly excludedInferenceMetadataKeys?: readonly string[];
}

/** 'embed' and 'inference' leave out their excluded keys, 'all' leaves out none, 'none' leaves out all metadata. */
export type MetadataMode = 'all' | 'embed' | 'inference' | 'none';

/** Default mode 'all'; `format` stands in for the document's own. Metadata keep their order. */
export declare function formatDocument(document: Document, mode?: MetadataMode, format?: ContentFormat): string;
