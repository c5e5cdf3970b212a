import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Document, type DocumentReader, type Resource, readText } from '@vernal/core';
import { TextReader } from '@vernal/etl';
import { fileResource, listFiles } from '@vernal/node';
import { HtmlReader } from '@vernal/readers-html';
import { MarkdownReader } from '@vernal/readers-markdown';

/** A page of the documentation. */
export interface Page {
  /** 'tools.md', 'guides/write-a-vector-store.md'. */
  readonly name: string;
  readonly mimeType: string;
  readonly file: Resource;
}

const TYPES: Readonly<Record<string, string>> = { '.md': 'text/markdown', '.html': 'text/html', '.txt': 'text/plain' };

/** The pages in `docs/` of the repository; not the tables of parity, which answer nothing. */
export async function pagesOf(docs: URL): Promise<ReadonlyMap<string, Page>> {
  const folder = fileURLToPath(docs);
  const pages = new Map<string, Page>();
  for await (const path of listFiles(folder, { extensions: Object.keys(TYPES) })) {
    const name = path.slice(folder.length).replaceAll('\\', '/');
    const mimeType = TYPES[extname(path)] ?? 'text/plain';
    if (name !== 'parity.md') pages.set(name, { name, mimeType, file: fileResource(path) });
  }
  return pages;
}

/** The page in sections, each with the name of the page and the heading that it stands under. */
export async function* sectionsOf({ name, mimeType, file }: Page): AsyncGenerator<Document> {
  for await (const section of readerOf(mimeType, file).stream()) {
    const { title } = section.metadata;
    yield { ...section, metadata: { page: name, ...(title === undefined ? undefined : { title }) } };
  }
}

export async function textOf({ file }: Page): Promise<string> {
  return await readText(file);
}

function readerOf(mimeType: string, file: Resource): DocumentReader {
  if (mimeType === 'text/markdown') return new MarkdownReader(file);
  if (mimeType === 'text/html') return new HtmlReader(file, { splitByHeadings: true });
  return new TextReader(file);
}
