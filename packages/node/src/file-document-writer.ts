import type { CallContext, Documents, DocumentWriter, MetadataMode, WritableResource } from '@vernal/core';
import { formatDocument, throwIfAborted, VernalError } from '@vernal/core';
import { fileResource } from './file-resource.js';

/** Left out: the texts alone, in place of what the file held. */
export interface FileDocumentWriterOptions {
  /** A line `### Doc: 0, pages:[1,2]` before each document, from its `page_number` and `end_page_number`. Default false. */
  readonly markers?: boolean | undefined;
  /** What of a document is written. Default 'none': the text alone. */
  readonly metadataMode?: MetadataMode | undefined;
  /** Keeps what the file holds and writes behind it. Default false: it is replaced. */
  readonly append?: boolean | undefined;
}

/**
 * Writes documents to a UTF-8 text file, an empty line between them. Documents are streamed into a temporary file that takes the place
 * of the target when all of them arrived; after an error the target is as it was.
 *
 * Source: Spring AI's `FileDocumentWriter`.
 *
 * @throws VernalError as `fileResource` does
 *
 * @example
 * await new FileDocumentWriter('out.txt', { markers: true }).write(documents);
 */
export class FileDocumentWriter implements DocumentWriter {
  /** Each write replaces the file, so a pipeline hands over all documents at once, whatever the batch size. */
  readonly takesWholeStream = true as const;
  readonly #file: WritableResource;
  readonly #options: FileDocumentWriterOptions;

  constructor(path: string | URL, options: FileDocumentWriterOptions = {}) {
    this.#file = fileResource(path);
    this.#options = options;
  }

  async write(documents: Documents, options?: CallContext): Promise<void> {
    await this.#file.write(this.#content(documents, options), options);
  }

  async *#content(documents: Documents, options: CallContext | undefined): AsyncGenerator<Uint8Array> {
    const { markers = false, metadataMode = 'none', append = false } = this.#options;
    const encoder = new TextEncoder();
    let isEmpty = true;
    if (append) {
      for await (const chunk of this.#present(options)) {
        yield chunk;
        isEmpty = false;
      }
    }
    let index = 0;
    for await (const document of documents) {
      throwIfAborted(options?.signal);
      const { page_number: first = null, end_page_number: last = null } = document.metadata;
      const marker = markers ? `### Doc: ${index++}, pages:[${first},${last}]\n` : '';
      yield encoder.encode(`${isEmpty ? '' : '\n'}${marker}${formatDocument(document, metadataMode)}\n`);
      isEmpty = false;
    }
  }

  async *#present(options: CallContext | undefined): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#file.stream?.(options) ?? [];
    } catch (error) {
      if (!(VernalError.is(error) && error.details['reason'] === 'not_found')) throw error;
    }
  }
}
