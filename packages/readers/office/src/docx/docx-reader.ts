import type { CallContext, Document, DocumentReader, Resource } from '@vernal/core';
import { coreProperties } from '../ooxml/core-properties.js';
import { OoxmlPackage, type Relationship } from '../ooxml/ooxml-package.js';
import type { Reading } from '../reading/reading.js';
import { checkReader, collect, type OfficeReaderOptions, type Unit, unitDocuments } from '../reading/unit-documents.js';
import type { Block } from '../text/block.js';
import { headingSections, wholeText } from '../text/sections.js';
import { readXml, xmlItems } from '../xml/xml-items.js';
import { NoteTexts } from './note-texts.js';
import { WordNumbering } from './numbering.js';
import type { WordContext } from './word-context.js';
import { WordStyles } from './word-styles.js';
import { WordText } from './word-text.js';

/** What of a Word document is read and how it is cut. Left out: a document for each heading. */
export interface DocxReaderOptions extends OfficeReaderOptions {
  /**
   * A document for each heading, with metadata `title`, `headings`, `level` and `category`. False: one document of all. Default true.
   */
  readonly splitByHeadings?: boolean | undefined;
  /** Footnotes and endnotes, at the end of the section that refers to them. Default true. */
  readonly includeNotes?: boolean | undefined;
  /** The texts of headers before the body, those of footers behind it. Default false. */
  readonly includeHeadersAndFooters?: boolean | undefined;
  /** Writes targets of links behind their text, `text (url)`. Default false. */
  readonly includeLinkUrls?: boolean | undefined;
}

/**
 * Reads Word documents (.docx, .docm, .dotx). Paragraphs are apart by an empty line, lists have their markers and numbers, rows of tables
 * are lines with `|` between cells, a cell merged over several rows is repeated in each. Text boxes follow the paragraph they are
 * anchored in. Left out: deleted and hidden text, comments, the texts of charts and drawings.
 *
 * Metadata: `source`, `file_name`, `mime_type`, `unit` ('section' or 'document'), `title`, `headings`, `level`, `category` (`header_1` to
 * `header_9`, 'title'), and of the file `document_title`, `author`, `subject`, `keywords`, `description`, `created`, `modified`.
 *
 * Source: Spring AI's `TikaDocumentReader`; ECMA-376.
 *
 * @throws VernalError `invalid_argument` for a bad option; `resource` with `details.reason` 'empty', 'wrong_type', 'damaged', 'encrypted',
 * 'too_large', 'unsafe_xml' or 'unsupported_format'
 *
 * @example
 * for await (const section of new DocxReader(fileResource('handbook.docx')).stream()) console.log(section.metadata['headings']);
 */
export class DocxReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: DocxReaderOptions;

  constructor(resource: Resource, options: DocxReaderOptions = {}) {
    checkReader(resource, options, ['splitByHeadings', 'includeNotes', 'includeHeadersAndFooters', 'includeLinkUrls']);
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  /** Sections are given as they are read; the file is in memory as it is packed. */
  stream(options?: CallContext): AsyncGenerator<Document> {
    return unitDocuments(this.#resource, this.#options, options, {
      mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      units: (bytes, reading) => docxUnits(bytes, reading, this.#options),
    });
  }
}

async function* docxUnits(bytes: Uint8Array, reading: Reading, options: DocxReaderOptions): AsyncGenerator<Unit> {
  const file = new OoxmlPackage(bytes, reading);
  const main = await file.mainPart('document', 'word/document.xml');
  const properties = await coreProperties(file);
  const blocks = documentBlocks(file, main, reading, options);
  yield* (options.splitByHeadings ?? true)
    ? headingSections(blocks, reading, properties)
    : wholeText(blocks, reading, properties);
}

async function* documentBlocks(
  file: OoxmlPackage,
  main: string,
  reading: Reading,
  options: DocxReaderOptions,
): AsyncGenerator<Block> {
  const related = await file.relationships(main);
  const treeOf = async (type: string) => {
    const part = related.find((one) => one.type === type && file.archive.has(one.target))?.target;
    return part === undefined ? undefined : file.tree(part);
  };
  const shared = {
    reading,
    styles: new WordStyles(await treeOf('styles')),
    numbering: new WordNumbering(await treeOf('numbering')),
    includeLinkUrls: options.includeLinkUrls ?? false,
  };
  const contextOf = async (part: string, notes: ReadonlyMap<string, string>): Promise<WordContext> => {
    const links = await file.relationships(part);
    return { ...shared, links: new Map(links.map((link) => [link.id, link])), notes };
  };
  const notes = new Map<string, string>();
  if (options.includeNotes ?? true) {
    for (const part of partsOf(related, file, 'footnotes', 'endnotes')) {
      const found = new NoteTexts(await contextOf(part, notes));
      await readXml(reading, { name: part, chunks: file.archive.chunks(part) }, found);
      for (const [key, text] of found.texts) notes.set(key, text);
    }
  }
  const withMargins = options.includeHeadersAndFooters ?? false;
  const parts = [
    ...(withMargins ? partsOf(related, file, 'header') : []),
    main,
    ...(withMargins ? partsOf(related, file, 'footer') : []),
  ];
  for (const part of parts) {
    const text = new WordText(await contextOf(part, notes));
    yield* xmlItems(reading, { name: part, chunks: file.archive.chunks(part) }, text, text.blocks);
  }
}

function partsOf(related: readonly Relationship[], file: OoxmlPackage, ...types: readonly string[]): readonly string[] {
  const targets = related.filter(({ type, isExternal }) => types.includes(type) && !isExternal);
  return [...new Set(targets.map(({ target }) => target))].filter((target) => file.archive.has(target));
}
