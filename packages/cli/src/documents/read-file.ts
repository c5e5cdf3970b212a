import { extname } from 'node:path';
import type { Document, DocumentReader, Metadata } from '@vernal/core';
import { JsonReader, TextReader } from '@vernal/etl';
import { fileResource } from '@vernal/node';
import { HtmlReader } from '@vernal/readers-html';
import { MarkdownReader } from '@vernal/readers-markdown';
import type { DocumentFile } from './document-files.js';
import { fileFault } from './file-fault.js';

function readerOf(path: string): DocumentReader {
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
    default:
      return new TextReader(resource);
  }
}

/** The documents of a file. Of their metadata is kept what an answer cites: `source`, and as `title` the place in it. */
export async function* readFile({ path, source }: DocumentFile, signal: AbortSignal): AsyncGenerator<Document> {
  try {
    for await (const document of readerOf(path).stream({ signal })) {
      const title = placeIn(document.metadata);
      yield { ...document, metadata: title === undefined ? { source } : { source, title } };
    }
  } catch (error) {
    signal.throwIfAborted();
    throw fileFault(source, error);
  }
}

function placeIn({ title, headings, line, index }: Metadata): string | undefined {
  if (Array.isArray(headings) && headings.length > 0) return headings.map(String).join(' › ');
  if (typeof title === 'string' && title !== '') return title;
  if (typeof line === 'number') return `line ${line}`;
  return typeof index === 'number' ? `entry ${index + 1}` : undefined;
}
