import type { CallContext, Documents, DocumentWriter, WritableResource } from '@vernal/core';
import type { DocumentTextOptions } from '@vernal/core/adapter';
import { writeDocumentText } from '@vernal/core/adapter';
import { fileResource } from './file-resource.js';

/** Left out: the texts alone, in place of what the file held. */
export interface FileDocumentWriterOptions extends DocumentTextOptions {}

/**
 * Writes documents to a UTF-8 text file, an empty line between them. Documents are streamed into a temporary file that takes the place
 * of the target when all of them arrived; after an error the target is as it was. In a pipeline it is given all documents at once,
 * whatever the batch size.
 *
 * Source: Spring AI's `FileDocumentWriter`.
 *
 * @throws VernalError as `fileResource` does
 *
 * @example
 * await new FileDocumentWriter('out.txt', { markers: true }).write(documents);
 */
export class FileDocumentWriter implements DocumentWriter {
  readonly takesWholeStream = true as const;
  readonly #file: WritableResource;
  readonly #options: FileDocumentWriterOptions;

  constructor(path: string | URL, options: FileDocumentWriterOptions = {}) {
    this.#file = fileResource(path);
    this.#options = options;
  }

  write(documents: Documents, options?: CallContext): Promise<void> {
    return writeDocumentText(this.#file, documents, this.#options, options);
  }
}
