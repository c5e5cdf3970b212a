// The documents that `npm start` indexes, cut as the command line tool cuts them. Needs the built packages (`pnpm build`).
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownDocuments } from '../../../../scripts/own-documents.mjs';
import { document } from '../../../core/dist/index.js';
import { JsonReader, TextReader } from '../../../etl/dist/index.js';
import { fileResource } from '../../../node/dist/index.js';
import { HtmlReader } from '../../../readers/html/dist/index.js';
import { MarkdownReader } from '../../../readers/markdown/dist/index.js';
import { TokenTextSplitter } from '../../../tokenizer/dist/index.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

function readerOf(path) {
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

/** Passages of docs/ and of every package's README, with `source` and `title` as metadata. */
export async function repositoryPassages() {
  const splitter = new TokenTextSplitter({ chunkSize: 220, minChunkSizeChars: 200 });
  const passages = [];
  for (const source of ownDocuments()) {
    for await (const { id, text, metadata } of splitter.transform(readerOf(source).stream())) {
      const title = metadata['title'];
      passages.push(document({ id, text, metadata: title === undefined ? { source } : { source, title } }));
    }
  }
  return passages;
}
