import type { CallContext, ContentFormat, Document, Documents, DocumentTransformer } from '@vernal/core';

export declare class ContentFormatTransformer implements DocumentTransformer {
  constructor(format: ContentFormat, options?: { readonly disableTemplateRewrite?: boolean | undefined });
  transform(documents: Documents, options?: CallContext): AsyncIterable<Document>;
}
