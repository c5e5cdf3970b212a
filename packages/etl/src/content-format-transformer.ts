import type { CallContext, ContentFormat, Document, Documents, DocumentTransformer } from '@vernal/core';
import { invalidArgument, throwIfAborted, withDocument } from '@vernal/core';

/**
 * Gives documents a content format. A document that has one keeps its own templates and separator; the excluded keys of both are joined.
 *
 * Source: Spring AI's `ContentFormatTransformer`.
 *
 * @throws VernalError `invalid_argument` without a format
 *
 * @example
 * const hidden = new ContentFormatTransformer({ excludedEmbedMetadataKeys: ['source'] }).transform(documents);
 */
export class ContentFormatTransformer implements DocumentTransformer {
  readonly #format: ContentFormat;

  /** `disableTemplateRewrite: true` leaves `textTemplate` of the format out: documents keep theirs or the default one. Default false. */
  constructor(format: ContentFormat, options?: { readonly disableTemplateRewrite?: boolean | undefined }) {
    if (typeof format !== 'object' || format === null) throw invalidArgument('format', 'pass a ContentFormat');
    const { textTemplate, ...rest } = format;
    this.#format = options?.disableTemplateRewrite || textTemplate === undefined ? rest : format;
  }

  async *transform(documents: Documents, options?: CallContext): AsyncGenerator<Document> {
    for await (const document of documents) {
      throwIfAborted(options?.signal);
      yield withDocument(document, { format: joinFormats(document.format, this.#format) });
    }
  }
}

function joinFormats(own: ContentFormat | undefined, added: ContentFormat): ContentFormat {
  if (own === undefined) return added;
  const embed = union(own.excludedEmbedMetadataKeys, added.excludedEmbedMetadataKeys);
  const inference = union(own.excludedInferenceMetadataKeys, added.excludedInferenceMetadataKeys);
  return {
    ...added,
    ...own,
    ...(embed.length > 0 && { excludedEmbedMetadataKeys: embed }),
    ...(inference.length > 0 && { excludedInferenceMetadataKeys: inference }),
  };
}

function union(first: readonly string[] = [], second: readonly string[] = []): readonly string[] {
  return [...new Set([...first, ...second])];
}
