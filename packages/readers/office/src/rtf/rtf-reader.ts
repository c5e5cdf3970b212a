import type { CallContext, Document, DocumentReader, Resource } from '@vernal/core';
import { fileProperties } from '../reading/file-properties.js';
import type { Reading } from '../reading/reading.js';
import { checkReader, collect, type OfficeReaderOptions, type Unit, unitDocuments } from '../reading/unit-documents.js';
import type { Block } from '../text/block.js';
import { headingSections, wholeText } from '../text/sections.js';
import { RtfText } from './rtf-text.js';
import { rtfTokens } from './rtf-tokens.js';

/** What of a text is read and how it is cut. Left out: a document for each heading. */
export interface RtfReaderOptions extends OfficeReaderOptions {
  /**
   * A document for each heading, with metadata `title`, `headings`, `level` and `category`. False: one document of all. Default true.
   */
  readonly splitByHeadings?: boolean | undefined;
  /** Footnotes and endnotes, at the end of the section that refers to them. Default true. */
  readonly includeNotes?: boolean | undefined;
  /** Writes targets of links behind their text, `text (url)`. Default false. */
  readonly includeLinkUrls?: boolean | undefined;
}

const MARK = [0x7b, 0x5c, 0x72, 0x74, 0x66];

/**
 * Reads Rich Text Format (.rtf) as `DocxReader` reads Word documents, with the same metadata. Knows the code pages of the WHATWG Encoding
 * Standard and the symbol fonts. Left out: deleted and hidden text, comments, headers and footers, pictures.
 *
 * Source: Spring AI's `TikaDocumentReader`; Rich Text Format 1.9.1.
 *
 * @throws VernalError `invalid_argument` for a bad option; `resource` with `details.reason` 'empty', 'wrong_type', 'damaged' for a file that
 * is cut off, or 'too_large'
 *
 * @example
 * const [letter] = await new RtfReader(fileResource('letter.rtf'), { splitByHeadings: false }).read();
 */
export class RtfReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: RtfReaderOptions;

  constructor(resource: Resource, options: RtfReaderOptions = {}) {
    checkReader(resource, options, ['splitByHeadings', 'includeNotes', 'includeLinkUrls']);
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  /** The file is read as a whole when the first document is asked for, for what it says of itself may stand anywhere. */
  stream(options?: CallContext): AsyncGenerator<Document> {
    return unitDocuments(this.#resource, this.#options, options, {
      mimeType: 'application/rtf',
      units: (bytes, reading) => rtfUnits(bytes, reading, this.#options),
    });
  }
}

async function* rtfUnits(bytes: Uint8Array, reading: Reading, options: RtfReaderOptions): AsyncGenerator<Unit> {
  const { splitByHeadings = true, includeNotes = true, includeLinkUrls = false } = options;
  if (!MARK.every((byte, index) => bytes[index] === byte))
    throw reading.fault('wrong_type', 'is not Rich Text Format; use readAny, which looks at the content');
  const text = new RtfText(reading, { includeNotes, includeLinkUrls });
  for (const length of rtfTokens(bytes, text)) await reading.turn(length);
  text.end();
  if (text.depth > 0) throw reading.fault('damaged', 'is cut off: not all of its groups end; get the file again');
  const properties = fileProperties(text.properties);
  const blocks = each(text.page.blocks);
  yield* splitByHeadings ? headingSections(blocks, reading, properties) : wholeText(blocks, reading, properties);
}

async function* each(blocks: readonly Block[]): AsyncGenerator<Block> {
  yield* blocks;
}
