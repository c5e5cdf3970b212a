import type { CallContext, Document, DocumentReader, Resource } from '@vernal/core';
import type { Reading } from '../reading/reading.js';
import { checkReader, collect, type Unit, unitDocuments } from '../reading/unit-documents.js';
import { type SlideReaderOptions, slideUnit } from '../text/slide-unit.js';
import { OdfContent } from './odf-content.js';
import { OdfPackage } from './odf-package.js';
import { OdpSlides } from './odp-slides.js';

/**
 * Reads OpenDocument presentations (.odp, .otp) as `PptxReader` reads those of PowerPoint, with the same metadata.
 *
 * Source: Spring AI's `TikaDocumentReader`; OpenDocument 1.3.
 *
 * @throws VernalError as `DocxReader` does
 *
 * @example
 * const slides = await new OdpReader(fileResource('talk.odp')).read();
 */
export class OdpReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: SlideReaderOptions;

  constructor(resource: Resource, options: SlideReaderOptions = {}) {
    checkReader(resource, options, ['includeNotes', 'includeHidden', 'includeLinkUrls']);
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  /** Slides are given as they are read; the file is in memory as it is packed. */
  stream(options?: CallContext): AsyncGenerator<Document> {
    return unitDocuments(this.#resource, this.#options, options, {
      mimeType: 'application/vnd.oasis.opendocument.presentation',
      units: (bytes, reading) => odpUnits(bytes, reading, this.#options),
    });
  }
}

async function* odpUnits(bytes: Uint8Array, reading: Reading, options: SlideReaderOptions): AsyncGenerator<Unit> {
  const file = new OdfPackage(bytes, reading);
  await file.open('presentation');
  const properties = await file.properties();
  const found = new OdpSlides(file.styles, {
    reading,
    isSlide: true,
    includeNotes: true,
    includeLinkUrls: options.includeLinkUrls ?? false,
  });
  for await (const slide of file.content(new OdfContent(file.styles, found), found.slides)) {
    const unit = slideUnit(slide, options, reading, properties);
    if (unit !== undefined) yield unit;
  }
}
