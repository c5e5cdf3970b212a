import type { CallContext, Documents, MetadataMode, WritableResource } from '@vernal/core';
import { formatDocument, throwIfAborted, VernalError } from '@vernal/core';
import { invalid } from './enricher.js';
import type { WholeStreamWriter } from './whole-stream-writer.js';

/** Left out: the texts alone, in place of what the target held. */
export interface ResourceDocumentWriterOptions {
  /** A line `### Doc: 0, pages:[1,2]` before each document, from its `page_number` and `end_page_number`. Default false. */
  readonly markers?: boolean | undefined;
  /** What of a document is written. Default 'none': the text alone. */
  readonly metadataMode?: MetadataMode | undefined;
  /** Keeps what the target holds and writes behind it. Default false: it is replaced. */
  readonly append?: boolean | undefined;
}

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
export class ResourceDocumentWriter implements WholeStreamWriter {
  readonly takesWholeStream = true as const;
  readonly #target: WritableResource;
  readonly #options: ResourceDocumentWriterOptions;

  constructor(target: WritableResource, options: ResourceDocumentWriterOptions = {}) {
    if (typeof target?.write !== 'function')
      throw invalid('target', 'pass a WritableResource, such as fileResource(path)');
    this.#target = target;
    this.#options = options;
  }

  async write(documents: Documents, options?: CallContext): Promise<void> {
    throwIfAborted(options?.signal);
    await this.#target.write(this.#content(documents, options), options);
  }

  async *#content(documents: Documents, options: CallContext | undefined): AsyncGenerator<Uint8Array> {
    const { markers = false, metadataMode = 'none', append = false } = this.#options;
    const encoder = new TextEncoder();
    let isEmpty = true;
    if (append) {
      const present = await this.#present(options);
      isEmpty = present.length === 0;
      if (!isEmpty) yield present;
    }
    let index = 0;
    for await (const document of documents) {
      throwIfAborted(options?.signal);
      const { page_number: first = null, end_page_number: last = null } = document.metadata;
      const marker = markers ? `### Doc: ${index}, pages:[${first},${last}]\n` : '';
      yield encoder.encode(`${isEmpty ? '' : '\n'}${marker}${formatDocument(document, metadataMode)}\n`);
      isEmpty = false;
      index++;
    }
  }

  async #present(options: CallContext | undefined): Promise<Uint8Array> {
    try {
      return await this.#target.bytes(options);
    } catch (error) {
      if (VernalError.is(error) && error.details['reason'] === 'not_found') return new Uint8Array();
      throw error;
    }
  }
}
