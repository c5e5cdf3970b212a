// The first example of every package's README: what it is, and what it says that it prints.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicPackages } from './workspace.mjs';

/** [{ name, folder, code, prints }]: `prints` are the texts behind `// →` in the code. */
export function readmeExamples() {
  return publicPackages().flatMap(({ name, path, folder }) => {
    const readme = join(path, 'README.md');
    const code = existsSync(readme) ? /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(readme, 'utf8'))?.[1] : undefined;
    if (code === undefined) return [];
    return [{ name, folder, code, prints: [...code.matchAll(/\/\/ → (.*)$/gm)].map((match) => match[1].trim()) }];
  });
}
