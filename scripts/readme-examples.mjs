// The first example of every package's README: what it is, and what it says that it prints.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocks, promisedLines } from './pages.mjs';
import { publicPackages } from './workspace.mjs';

/** Stores on a server of their own: their examples are compiled and not run. */
export const ON_SERVERS = new Set([
  '@vernal/vector-store-redis',
  '@vernal/etl-bullmq',
  '@vernal/memory-redis',
  '@vernal/memory-mongo',
  '@vernal/memory-neo4j',
  '@vernal/memory-cassandra',
  '@vernal/memory-cosmos-db',
]);

/** [{ name, folder, code, prints }]: `prints` are the texts behind `// →` in the code. */
export function readmeExamples() {
  return publicPackages().flatMap(({ name, path, folder }) => {
    const readme = join(path, 'README.md');
    if (!existsSync(readme)) return [];
    const example = codeBlocks(readFileSync(readme, 'utf8')).find(({ language }) => language === 'ts');
    return example === undefined ? [] : [{ name, folder, code: example.code, prints: promisedLines(example.code) }];
  });
}
