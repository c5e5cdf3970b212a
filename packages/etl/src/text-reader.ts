import type { CallContext, Document, DocumentReader, MetadataInput, Resource } from '@vernal/core';

export declare class TextReader implements DocumentReader {
  constructor(
    resource: Resource,
    options?: { readonly encoding?: string | undefined; readonly metadata?: MetadataInput | undefined },
  );
  read(options?: CallContext): Promise<Document[]>;
  stream(options?: CallContext): AsyncIterable<Document>;
}
