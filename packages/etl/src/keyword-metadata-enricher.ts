import type { CallContext, Document, Documents, DocumentTransformer } from '@vernal/core';
import type { EnricherOptions } from './enricher.js';

export declare class KeywordMetadataEnricher implements DocumentTransformer {
  constructor(options: EnricherOptions & { readonly keywordCount: number });
  transform(documents: Documents, options?: CallContext): AsyncIterable<Document>;
}
