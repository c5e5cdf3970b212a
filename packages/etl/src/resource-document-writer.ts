import type { CallContext, Documents, DocumentWriter, WritableResource } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import type { DocumentTextOptions } from '@vernal/core/adapter';
import { writeDocumentText } from '@vernal/core/adapter';

/** Left out: the texts alone, in place of what the target held. */
export interface ResourceDocumentWriterOptions extends DocumentTextOptions {}

/**
 * Writes documents as UTF-8 text to one target, an empty line between them. Documents are streamed; the target changes only when all of
 * them arrived. In a pipeline it is given all documents at once, whatever the batch size. For files: `FileDocumentWriter` of
 * `@vernal/node`.
 *
 * Source: Spring AI's `FileDocumentWriter`.
 *
 * @throws VernalError `invalid_argument` for a target that cannot be written to; `resource` when writing fails
 *
 * @example
 * await etl(reader).write(new ResourceDocumentWriter(target, { markers: true }));
 */
export class ResourceDocumentWriter implements DocumentWriter {
  readonly takesWholeStream = true as const;
  readonly #target: WritableResource;
  readonly #options: ResourceDocumentWriterOptions;

  constructor(target: WritableResource, options: ResourceDocumentWriterOptions = {}) {
    if (typeof target?.write !== 'function')
      throw invalidArgument('target', 'pass a WritableResource, such as fileResource(path)');
    this.#target = target;
    this.#options = options;
  }

  write(documents: Documents, options?: CallContext): Promise<void> {
    return writeDocumentText(this.#target, documents, this.#options, options);
  }
}
