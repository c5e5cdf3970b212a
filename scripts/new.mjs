// `pnpm new vector-store NAME [CLASS]`: a package that builds and passes every check, and whose suite fails until its engine is written.

import { scaffoldVectorStore } from './new/scaffold.mjs';
import { install, root, run } from './pnpm.mjs';

const [kind, name, className, ...rest] = process.argv.slice(2);
if (kind !== 'vector-store' || name === undefined || rest.length > 0) {
  console.error('pnpm new vector-store NAME [CLASS], for example: pnpm new vector-store duckdb DuckDb');
  process.exit(2);
}
install();
let written;
try {
  written = scaffoldVectorStore(root, name, className);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
const folder = `packages/vector-stores/${name}`;
const codes = [
  run('biome', ['check', '--write', '--log-level=warn', folder]),
  run('pnpm', ['install', '--no-frozen-lockfile', '--reporter=append-only']),
];
for (const path of written) console.log(path);
console.log('pnpm-lock.yaml');
console.log(`\nNext: docs/guides/write-a-vector-store.md, and pnpm exec vitest run ${folder}/ for the suite.`);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
