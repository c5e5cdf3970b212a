import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Document, type DocumentReader, document } from '@vernal/core';
import { JsonReader, TextReader } from '@vernal/etl';
import { fileResource } from '@vernal/node';
import { HtmlReader } from '@vernal/readers-html';
import { MarkdownReader } from '@vernal/readers-markdown';
import { TokenTextSplitter } from '@vernal/tokenizer';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

function readmes(folder: string, depth = 0): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (existsSync(join(root, path, 'README.md'))) return [`${path}/README.md`];
      return depth < 1 ? readmes(path, depth + 1) : [];
    });
}

function readerOf(path: string): DocumentReader {
  const resource = fileResource(join(root, path));
  switch (extname(path)) {
    case '.md':
      return new MarkdownReader(resource);
    case '.html':
      return new HtmlReader(resource, { splitByHeadings: true });
    case '.json':
      return new JsonReader(resource);
    default:
      return new TextReader(resource);
  }
}

/** Passages of docs/ and of every package's README as they are now, cut as the command line tool cuts them. */
export async function repositoryPassages(): Promise<Document[]> {
  const splitter = new TokenTextSplitter({ chunkSize: 220, minChunkSizeChars: 200 });
  const sources = [...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`), ...readmes('packages')];
  const passages: Document[] = [];
  for (const source of sources) {
    for await (const { id, text = '', metadata } of splitter.transform(readerOf(source).stream())) {
      const title = metadata['title'];
      passages.push(document({ id, text, metadata: { source, ...(typeof title === 'string' && { title }) } }));
    }
  }
  return passages;
}
