import { type CallContext, type Document, type DocumentReader, decodeText, type Resource } from '@vernal/core';
import { checkReader, collect, type OfficeReaderOptions, type Unit, unitDocuments } from '../reading/unit-documents.js';

/** One document of a whole text, so that `readAny` does not need another package for that. */
export class PlainTextReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: OfficeReaderOptions;

  constructor(resource: Resource, options: OfficeReaderOptions) {
    checkReader(resource, options, []);
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  stream(options?: CallContext): AsyncGenerator<Document> {
    const resource = this.#resource;
    return unitDocuments(resource, this.#options, options, {
      mimeType: 'text/plain',
      async *units(bytes, reading): AsyncGenerator<Unit> {
        const { text, encoding } = decodeText(bytes, { source: resource });
        reading.countText(text.length);
        if (text.trim() !== '') yield { text, metadata: { unit: 'document', charset: encoding } };
      },
    });
  }
}
