import { type CallContext, type Document, type DocumentReader, type Resource, VernalError } from '@vernal/core';
import type { PdfWorkerPool } from '@vernal/readers-pdf';

/**
 * Reads PDF files by their pages, in threads that are kept from one file to the next. The reader is imported when the first such file
 * comes. By pages and not by the outline: an answer names the page, and a section may have thirty of them.
 */
export class PdfFiles implements AsyncDisposable {
  #pool: PdfWorkerPool | undefined;

  async reader(file: Resource): Promise<DocumentReader> {
    const { PagePdfDocumentReader, PdfWorkerPool } = await import('@vernal/readers-pdf');
    this.#pool ??= new PdfWorkerPool();
    return withText(new PagePdfDocumentReader(file, { worker: this.#pool, dropRepeatedLines: true }), file);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool?.close();
  }
}

/** Pages that the reader says are damaged. */
export function damagedPages({ metadata }: Document): number[] {
  const faults = metadata['page_errors'];
  if (!Array.isArray(faults)) return [];
  return faults.flatMap((fault) => {
    const page =
      typeof fault === 'object' && fault !== null && 'page_number' in fault ? fault['page_number'] : undefined;
    return typeof page === 'number' ? [page] : [];
  });
}

/** A file of which nothing could be found again is a fault of its own, not an empty document. */
function withText(reader: DocumentReader, { filename = 'The file' }: Resource): DocumentReader {
  const stream = async function* (context?: CallContext): AsyncGenerator<Document> {
    let hasText = false;
    let isDamaged = false;
    for await (const document of reader.stream(context)) {
      hasText ||= (document.text ?? '').trim() !== '';
      isDamaged ||= damagedPages(document).length > 0;
      yield document;
    }
    if (hasText) return;
    const [reason, what] = isDamaged ? ['damaged', 'has damaged pages only'] : ['no_text', 'holds no text'];
    throw new VernalError(`${filename} ${what}`, { code: 'resource', subject: filename, details: { reason } });
  };
  const read = async (context?: CallContext): Promise<Document[]> => {
    const documents: Document[] = [];
    for await (const document of stream(context)) documents.push(document);
    return documents;
  };
  return { stream, read };
}
