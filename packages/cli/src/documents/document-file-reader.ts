import { extname } from 'node:path';
import type { Document, DocumentReader, Metadata } from '@vernal/core';
import { JsonReader, TextReader } from '@vernal/etl';
import { fileResource } from '@vernal/node';
import { HtmlReader } from '@vernal/readers-html';
import { MarkdownReader } from '@vernal/readers-markdown';
import { anyFileReader } from './any-file.js';
import type { DocumentFile } from './document-files.js';
import { fileFault } from './file-fault.js';
import type { LeftOut } from './left-out.js';
import { damagedPages, PdfFiles } from './pdf-files.js';

/** A number tells where a passage stands; it says nothing about its meaning. */
const NOT_EMBEDDED = { excludedEmbedMetadataKeys: ['page_number'] };

/** Reads the files of a run. Closes what it keeps from one to the next. */
export class DocumentFileReader implements AsyncDisposable {
  readonly #pdf = new PdfFiles();
  readonly #partial: LeftOut[] = [];

  /** Files that were read to their end, but not whole. */
  get partial(): readonly LeftOut[] {
    return this.#partial;
  }

  /**
   * The documents of a file. Of their metadata is kept what an answer cites, for it is embedded with the text: `source`, as `title` the
   * place in it, and `page_number`.
   */
  async *read({ path, source }: DocumentFile, signal: AbortSignal): AsyncGenerator<Document> {
    const damaged: number[] = [];
    try {
      const reader = await this.#readerOf(path);
      for await (const document of reader.stream({ signal })) {
        damaged.push(...damagedPages(document));
        if (document.text === '') continue;
        const page = document.metadata['page_number'];
        const title = placeIn(document.metadata);
        const metadata = { source, ...(title !== undefined && { title }) };
        if (typeof page !== 'number') yield { ...document, metadata };
        else yield { ...document, metadata: { ...metadata, page_number: page }, format: NOT_EMBEDDED };
      }
    } catch (error) {
      signal.throwIfAborted();
      throw fileFault(source, error);
    }
    if (damaged.length > 0) this.#partial.push({ source, reason: `${source}: ${damagedText(damaged)}` });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pdf[Symbol.asyncDispose]();
  }

  #readerOf(path: string): DocumentReader | Promise<DocumentReader> {
    const resource = fileResource(path);
    switch (extname(path).toLowerCase()) {
      case '.md':
      case '.markdown':
        return new MarkdownReader(resource);
      case '.html':
      case '.htm':
        return new HtmlReader(resource, { splitByHeadings: true });
      case '.json':
      case '.jsonl':
        return new JsonReader(resource);
      case '.txt':
        return new TextReader(resource);
      default:
        return anyFileReader(resource, this.#pdf);
    }
  }
}

const SHOWN = 5;

function damagedText(pages: readonly number[]): string {
  const more = pages.length > SHOWN ? ` and ${pages.length - SHOWN} more` : '';
  const [word, are] = pages.length === 1 ? ['page', 'is'] : ['pages', 'are'];
  return `${word} ${pages.slice(0, SHOWN).join(', ')}${more} ${are} damaged, and what cannot be read there is missing: save it again.`;
}

function placeIn({ title, headings, line, index, attachment_of, file_name }: Metadata): string | undefined {
  if (Array.isArray(headings) && headings.length > 0) return headings.map(String).join(' › ');
  if (typeof title === 'string' && title !== '') return title;
  if (attachment_of !== undefined && typeof file_name === 'string') return file_name;
  if (typeof line === 'number') return `line ${line}`;
  return typeof index === 'number' ? `entry ${index + 1}` : undefined;
}
