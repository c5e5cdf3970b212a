import { type CallContext, type Document, type DocumentReader, joinBytes, type Resource } from '@vernal/core';
import { htmlBlocks } from '../html/html-blocks.js';
import type { Reading } from '../reading/reading.js';
import { checkReader, collect, type OfficeReaderOptions, type Unit, unitDocuments } from '../reading/unit-documents.js';
import { cellText } from '../text/block.js';
import { BlockText } from '../text/block-text.js';
import { decodeWhole } from '../text/decode-whole.js';
import { xmlDecoder } from '../xml/xml-decoder.js';
import { EpubPackage } from './epub-package.js';

/** What of a book is read. Left out: a document for each chapter. */
export interface EpubReaderOptions extends OfficeReaderOptions {
  /** Writes targets of links behind their text, `text (url)`. Default false. */
  readonly includeLinkUrls?: boolean | undefined;
}

/**
 * Reads EPUB books of all versions: a document for each chapter, in the order of the spine, without the table of contents. Headings,
 * lists and tables are lines of the text.
 *
 * Metadata: `source`, `file_name`, `mime_type`, `unit` 'chapter', `chapter_number` (from 1), `title` (as the table of contents calls it,
 * else its first heading, else the title of its page), and of the book `document_title`, `author`, `subject`, `description`,
 * `publisher`, `language`, `created`, `modified`.
 *
 * Source: Spring AI's `TikaDocumentReader`; EPUB 3.3.
 *
 * @throws VernalError as `DocxReader` does; 'encrypted' for books that are protected
 *
 * @example
 * for await (const chapter of new EpubReader(fileResource('book.epub')).stream()) console.log(chapter.metadata['title']);
 */
export class EpubReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: EpubReaderOptions;

  constructor(resource: Resource, options: EpubReaderOptions = {}) {
    checkReader(resource, options, ['includeLinkUrls']);
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  /** A chapter is read when it is asked for. */
  stream(options?: CallContext): AsyncGenerator<Document> {
    return unitDocuments(this.#resource, this.#options, options, {
      mimeType: 'application/epub+zip',
      units: (bytes, reading) => epubUnits(bytes, reading, this.#options),
    });
  }
}

async function* epubUnits(
  bytes: Uint8Array,
  reading: Reading,
  { includeLinkUrls = false }: EpubReaderOptions,
): AsyncGenerator<Unit> {
  const file = new EpubPackage(bytes, reading);
  const { properties, chapters } = await file.open();
  let number = 0;
  for (const { path, title: listed } of chapters) {
    number++;
    const content = joinBytes([...file.archive.chunks(path)]);
    await reading.turn(content.length);
    const html = decodeWhole(xmlDecoder(content), content);
    const { blocks, title: page } = htmlBlocks(html, reading, { includeLinkUrls, part: path });
    const heading = blocks.find((block) => block.kind === 'heading');
    const body = new BlockText(reading);
    for (const block of blocks) body.add(block);
    const text = body.take();
    if (text === '') continue;
    const title = listed ?? (heading === undefined ? page : cellText(heading.text));
    yield {
      text,
      metadata: { ...properties, unit: 'chapter', chapter_number: number, ...(title !== '' && { title }) },
    };
  }
}
