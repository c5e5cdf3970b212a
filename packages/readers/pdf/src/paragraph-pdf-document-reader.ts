import { type CallContext, type Document, type DocumentReader, invalidArgument, type Resource } from '@vernal/core';
import { requireResource } from '@vernal/core/adapter';
import { pdfDocuments } from './pdf-documents.js';
import { type PdfReaderOptions, type ReadingPlan, readingPlan } from './pdf-reader-options.js';
import { requireWhole } from './require-whole.js';

/** Which entries of the outline make a document. */
export interface ParagraphPdfReaderOptions extends PdfReaderOptions {
  /** Entries below this level, from 0, belong to the one above them. Default all. */
  readonly maxLevel?: number | undefined;
  /** What is done with a file that has no outline, or one that leads nowhere: 'error' or 'pages', a document a page. Default 'error'. */
  readonly withoutOutline?: 'error' | 'pages' | undefined;
}

/**
 * Reads PDF by its outline: a document for each entry, from its place to that of the next one. Where an entry leads to a page only, or not
 * quite to its heading, the heading is found by its words. Entries that lead nowhere or out of the file are left out; text before the first
 * entry is a document without a title.
 *
 * Metadata: as of `PagePdfDocumentReader`, and `title`, `headings` (titles from the top down to it), `level` (from 0); `end_page_number` is
 * always there. An entry without text makes no document, but stays among the `headings` of those below it.
 *
 * Source: Spring AI's `ParagraphPdfDocumentReader`.
 *
 * @throws VernalError as `PagePdfDocumentReader`; `details.reason` is 'no_outline' for a file without one
 *
 * @example
 * const reader = new ParagraphPdfDocumentReader(fileResource('handbook.pdf'), { withoutOutline: 'pages' });
 * for await (const { text, metadata } of reader.stream({ signal })) console.log(metadata['headings'], text);
 */
export class ParagraphPdfDocumentReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #plan: ReadingPlan;

  constructor(resource: Resource, options: ParagraphPdfReaderOptions = {}) {
    requireResource(resource);
    const { maxLevel = 64, withoutOutline = 'error' } = options;
    requireWhole('maxLevel', maxLevel, 0);
    if (withoutOutline !== 'error' && withoutOutline !== 'pages')
      throw invalidArgument('withoutOutline', "must be 'error' or 'pages'");
    this.#resource = resource;
    this.#plan = readingPlan(options, ['maxLevel', 'withoutOutline'], { by: 'sections', maxLevel, withoutOutline });
  }

  async read(options?: CallContext): Promise<Document[]> {
    const documents: Document[] = [];
    for await (const document of this.stream(options)) documents.push(document);
    return documents;
  }

  stream(options?: CallContext): AsyncGenerator<Document> {
    return pdfDocuments(this.#resource, this.#plan, options);
  }
}
