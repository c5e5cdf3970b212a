// The documents that `npm start` indexes, cut as the command line tool cuts them. Needs the built packages (`pnpm build`).
import { existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { document } from '../../../core/dist/index.js';
import { JsonReader, TextReader } from '../../../etl/dist/index.js';
import { fileResource } from '../../../node/dist/index.js';
import { HtmlReader } from '../../../readers/html/dist/index.js';
import { MarkdownReader } from '../../../readers/markdown/dist/index.js';
import { TokenTextSplitter } from '../../../tokenizer/dist/index.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

function readmes(folder, depth = 0) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (existsSync(join(root, path, 'README.md'))) return [`${path}/README.md`];
      return depth < 1 ? readmes(path, depth + 1) : [];
    });
}

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
  for (const source of [...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`), ...readmes('packages')]) {
    for await (const { id, text, metadata } of splitter.transform(readerOf(source).stream())) {
      const title = metadata['title'];
      passages.push(document({ id, text, metadata: title === undefined ? { source } : { source, title } }));
    }
  }
  return passages;
}
