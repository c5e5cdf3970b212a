import type { CallContext, Documents, DocumentWriter, MetadataMode, WritableResource } from '@vernal/core';

/** In `@vernal/node` as `FileDocumentWriter(path, …)`. */
export declare class ResourceDocumentWriter implements DocumentWriter {
  constructor(
    target: WritableResource,
    options?: {
      readonly markers?: boolean | undefined;
      readonly metadataMode?: MetadataMode | undefined;
      readonly append?: boolean | undefined;
    },
  );
  write(documents: Documents, options?: CallContext): Promise<void>;
}
