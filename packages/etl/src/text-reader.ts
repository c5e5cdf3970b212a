import type { CallContext, Document, DocumentReader, MetadataInput, Resource } from '@vernal/core';
import {
  contentId,
  decodeText,
  document,
  requireEncoding,
  requireResource,
  sourceMetadata,
  throwIfAborted,
} from '@vernal/core';

/** What the resource does not say by itself. */
export interface TextReaderOptions {
  /** A label of the WHATWG Encoding Standard. A byte order mark outweighs it. Default the charset of the MIME type, else 'utf-8'. */
  readonly encoding?: string | undefined;
  /** Added to each document; wins over `source`, `file_name` and `charset`. */
  readonly metadata?: MetadataInput | undefined;
}

/**
 * One document for a whole text file; the text is as it is in the file, without its byte order mark. Metadata: `source` (the URI, else
 * the file name), `file_name`, `charset`. The id is made of text and metadata, so reading again gives the same one.
 *
 * Source: Spring AI's `TextReader`.
 *
 * @throws VernalError `invalid_argument` for an unknown encoding; `resource` when the bytes are not text of the encoding
 *
 * @example
 * const [page] = await new TextReader(bytesResource('Hello', { filename: 'hello.txt' })).read();
 */
export class TextReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: TextReaderOptions;

  constructor(resource: Resource, options: TextReaderOptions = {}) {
    requireResource(resource);
    requireEncoding(options.encoding);
    this.#resource = resource;
    this.#options = options;
  }

  async read(options?: CallContext): Promise<Document[]> {
    throwIfAborted(options?.signal);
    const bytes = await this.#resource.bytes(options);
    throwIfAborted(options?.signal);
    const { encoding, metadata: added } = this.#options;
    const { text, encoding: charset } = decodeText(bytes, { encoding, source: this.#resource });
    const metadata = { ...sourceMetadata(this.#resource), charset, ...added };
    return [document({ id: await contentId(text, metadata), text, metadata })];
  }

  async *stream(options?: CallContext): AsyncGenerator<Document> {
    yield* await this.read(options);
  }
}
