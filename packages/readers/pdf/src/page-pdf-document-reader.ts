import type { CallContext, Document, DocumentReader, Resource } from '@vernal/core';
import { requireResource } from '@vernal/core/adapter';
import { pdfDocuments } from './pdf-documents.js';
import type { PdfPageRange } from './pdf-job.js';
import { checkedRanges, type PdfReaderOptions, type ReadingPlan, readingPlan } from './pdf-reader-options.js';
import { requireWhole } from './require-whole.js';

/** Which pages are read, and how many of them make a document. */
export interface PagePdfReaderOptions extends PdfReaderOptions {
  /** 0: one document of all pages, or of each range. Default 1. */
  readonly pagesPerDocument?: number | undefined;
  /** The pages to read. A document ends where pages are left out. Default all. */
  readonly pageRanges?: readonly PdfPageRange[] | undefined;
}

/**
 * Reads PDF by its pages. Documents come one at a time, as the pages are read, and hardly more than one is held. Pages without text make no
 * document, but keep their number.
 *
 * Metadata: `source` (the URI, else the file name), `file_name`, `page_number` (from 1), `end_page_number` where it is another page,
 * `page_label`, `total_pages`, `images` where they are asked for, `page_errors` of damaged pages, and what the file says of itself:
 * `document_title`, `author`, `subject`, `keywords`, `creator`, `producer`, `creation_date`, `modification_date`, `language`. A document
 * whose pages are all damaged or hold images alone has the text ''. Reading the same file again gives the same ids.
 *
 * Source: Spring AI's `PagePdfDocumentReader`.
 *
 * @throws VernalError `invalid_argument` for options that cannot be right; `resource` with a `PdfFaultReason` as `details.reason`, and
 * `details.page` where it is about one page
 *
 * @example
 * const reader = new PagePdfDocumentReader(fileResource('handbook.pdf'), { pagesPerDocument: 2 });
 * for await (const { text, metadata } of reader.stream({ signal })) console.log(metadata['page_number'], text);
 */
export class PagePdfDocumentReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #plan: ReadingPlan;

  constructor(resource: Resource, options: PagePdfReaderOptions = {}) {
    requireResource(resource);
    const { pagesPerDocument = 1, pageRanges } = options;
    requireWhole('pagesPerDocument', pagesPerDocument, 0);
    this.#resource = resource;
    this.#plan = readingPlan(options, ['pagesPerDocument', 'pageRanges'], {
      by: 'pages',
      pagesPerDocument,
      ranges: checkedRanges(pageRanges),
    });
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
