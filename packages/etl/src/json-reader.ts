import type { CallContext, Document, DocumentReader, JsonObject, MetadataInput, Resource } from '@vernal/core';

export declare class JsonReader implements DocumentReader {
  constructor(
    resource: Resource,
    options?: {
      /** Properties that make the text; default the whole object as JSON. */
      readonly keys?: readonly string[] | undefined;
      /** RFC 6901. */
      readonly pointer?: string | undefined;
      readonly lines?: boolean | undefined;
      readonly metadata?: ((value: JsonObject) => MetadataInput) | undefined;
    },
  );
  read(options?: CallContext): Promise<Document[]>;
  stream(options?: CallContext): AsyncIterable<Document>;
}
