import { extname } from 'node:path';
import type { Document, DocumentReader } from '@vernal/core';
import { VernalError, withDocument } from '@vernal/core';
import { JsonReader, TextReader } from '@vernal/etl';
import { fileResource } from '@vernal/node';
import { HtmlReader } from '@vernal/readers-html';
import { MarkdownReader } from '@vernal/readers-markdown';
import type { DocumentFile } from './document-files.js';

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

/** The documents of a file, with the name that answers give it as `source`. */
export async function* readFile({ path, source }: DocumentFile, signal?: AbortSignal): AsyncGenerator<Document> {
  try {
    for await (const document of readerOf(path).stream({ signal }))
      yield withDocument(document, { metadata: { source } });
  } catch (error) {
    signal?.throwIfAborted();
    const fault = VernalError.is(error) ? error.message : 'it cannot be read';
    throw new VernalError(`${source}: ${fault}`, { code: 'resource', subject: source, cause: error });
  }
}
