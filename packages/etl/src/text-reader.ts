import type { CallContext, Document, DocumentReader, MetadataInput, Resource } from '@vernal/core';
import { contentId, decodeText, document } from '@vernal/core';
import {
  readBytes,
  readerLimits,
  requireEncoding,
  requireOptionNames,
  requireResource,
  sourceMetadata,
} from '@vernal/core/adapter';

/** How much of a text is read before it is refused. */
export interface TextLimits {
  /** Bytes of the file; Infinity for no limit. Default 104,857,600. */
  readonly maxFileBytes?: number | undefined;
}

const LIMITS = { maxFileBytes: 104_857_600 };

/** What the resource does not say by itself. */
export interface TextReaderOptions {
  /** A label of the WHATWG Encoding Standard. A byte order mark outweighs it. Default the charset of the MIME type, else 'utf-8'. */
  readonly encoding?: string | undefined;
  /** Added to each document; wins over `source`, `file_name` and `charset`. */
  readonly metadata?: MetadataInput | undefined;
  /** How much of a file is read before it is refused. */
  readonly limits?: TextLimits | undefined;
}

/**
 * One document for a whole text file; the text is as it is in the file, without its byte order mark. Metadata: `source` (the URI, else
 * the file name), `file_name`, `charset`. The id is made of text and metadata, so reading again gives the same one.
 *
 * Source: Spring AI's `TextReader`.
 *
 * @throws VernalError `invalid_argument` for an unknown encoding or a bad limit; `resource` when the bytes are not text of the encoding, and
 * with `details.reason` 'too_large' for a file over its limit
 *
 * @example
 * const [page] = await new TextReader(bytesResource('Hello', { filename: 'hello.txt' })).read();
 */
export class TextReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: TextReaderOptions;
  readonly #maxFileBytes: number;

  constructor(resource: Resource, options: TextReaderOptions = {}) {
    requireResource(resource);
    requireOptionNames(options, ['encoding', 'metadata', 'limits']);
    requireEncoding(options.encoding);
    this.#resource = resource;
    this.#options = options;
    this.#maxFileBytes = readerLimits<TextLimits>(options.limits, LIMITS).maxFileBytes;
  }

  async read(options?: CallContext): Promise<Document[]> {
    const bytes = await readBytes(this.#resource, this.#maxFileBytes, options);
    const { encoding, metadata: added } = this.#options;
    const { text, encoding: charset } = decodeText(bytes, { encoding, source: this.#resource });
    const metadata = { ...sourceMetadata(this.#resource), charset, ...added };
    return [document({ id: await contentId(text, metadata), text, metadata })];
  }

  async *stream(options?: CallContext): AsyncGenerator<Document> {
    yield* await this.read(options);
  }
}
