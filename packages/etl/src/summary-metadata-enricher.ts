import type { CallContext, Document, Documents, DocumentTransformer, MetadataMode } from '@vernal/core';
import type { EnricherOptions } from './enricher.js';

export declare class SummaryMetadataEnricher implements DocumentTransformer {
  constructor(
    options: EnricherOptions & {
      readonly types?: readonly ('previous' | 'current' | 'next')[] | undefined;
      readonly metadataMode?: MetadataMode | undefined;
    },
  );
  transform(documents: Documents, options?: CallContext): AsyncIterable<Document>;
}
