import type { CallContext, Document, DocumentReader, Resource } from '@vernal/core';
import type { Reading } from '../reading/reading.js';
import { checkReader, collect, type OfficeReaderOptions, type Unit, unitDocuments } from '../reading/unit-documents.js';
import { headingSections, wholeText } from '../text/sections.js';
import { OdfContent } from './odf-content.js';
import { OdfPackage } from './odf-package.js';
import { OdfText } from './odf-text.js';

/** What of a text document is read and how it is cut. Left out: a document for each heading. */
export interface OdtReaderOptions extends OfficeReaderOptions {
  /**
   * A document for each heading, with metadata `title`, `headings`, `level` and `category`. False: one document of all. Default true.
   */
  readonly splitByHeadings?: boolean | undefined;
  /** Footnotes and endnotes, at the end of the section that refers to them. Default true. */
  readonly includeNotes?: boolean | undefined;
  /** Writes targets of links behind their text, `text (url)`. Default false. */
  readonly includeLinkUrls?: boolean | undefined;
}

/**
 * Reads OpenDocument texts (.odt, .ott) as `DocxReader` reads Word documents, with the same metadata. Left out: deleted and hidden text,
 * comments, headers and footers, charts, and the texts of drawings that are not in a text box.
 *
 * Source: Spring AI's `TikaDocumentReader`; OpenDocument 1.3.
 *
 * @throws VernalError as `DocxReader` does
 *
 * @example
 * const sections = await new OdtReader(fileResource('handbook.odt')).read();
 */
export class OdtReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: OdtReaderOptions;

  constructor(resource: Resource, options: OdtReaderOptions = {}) {
    checkReader(resource, options, ['splitByHeadings', 'includeNotes', 'includeLinkUrls']);
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  /** Sections are given as they are read; the file is in memory as it is packed. */
  stream(options?: CallContext): AsyncGenerator<Document> {
    return unitDocuments(this.#resource, this.#options, options, {
      mimeType: 'application/vnd.oasis.opendocument.text',
      units: (bytes, reading) => odtUnits(bytes, reading, this.#options),
    });
  }
}

async function* odtUnits(bytes: Uint8Array, reading: Reading, options: OdtReaderOptions): AsyncGenerator<Unit> {
  const { splitByHeadings = true, includeNotes = true, includeLinkUrls = false } = options;
  const file = new OdfPackage(bytes, reading);
  await file.open('text');
  const properties = await file.properties();
  const text = new OdfText(file.styles, { reading, includeNotes, includeLinkUrls });
  const blocks = file.content(new OdfContent(file.styles, text), text.blocks);
  yield* splitByHeadings ? headingSections(blocks, reading, properties) : wholeText(blocks, reading, properties);
}
