// `node scripts/support-matrix.mjs`: runs the suites of the vector stores and of chat memory and prints what each can do as JSON (--json) or as
// tables of Markdown, which --write puts into docs/vector-stores.md and docs/memory.md and, shorter, into the READMEs of the stores. Engines that
// are not up are missing from it: pnpm services up.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './pnpm.mjs';
import { MADE, memoryTable, setUpTable, supportTable } from './support-table.mjs';

const folder = mkdtempSync(join(tmpdir(), 'vernal-reports-'));
try {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const run = spawnSync(
    process.execPath,
    [
      vitest,
      'run',
      'packages/testing/test/vector-store-suite.test.ts',
      'packages/testing/test/memory-suite.test.ts',
      'packages/vector-stores/',
      ...memorySuites(),
    ],
    { cwd: root, env: { ...process.env, VERNAL_REPORTS: folder }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (run.status !== 0) process.exitCode = 1;
  const reports = existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
    : [];
  if (process.argv.includes('--json')) console.log(JSON.stringify(reports, undefined, 2));
  else if (process.argv.includes('--write') && run.status === 0) write(reports);
  else console.log(`${supportTable(storesOf(reports))}\n\n${memoryTable(reports)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Repositories have many tests beside their suites. */
function memorySuites() {
  const folders = readdirSync(join(root, 'packages/memory')).map((name) => `packages/memory/${name}/test`);
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => /(?:suite|durability)\.test\.ts$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
}

function storesOf(reports) {
  return reports.filter(({ suite }) => suite === 'vector-store');
}

function write(reports) {
  const page = 'docs/vector-stores.md';
  const memoryPage = 'docs/memory.md';
  const named = [
    ...read(page).matchAll(/^\| (\w+VectorStore[^|]*) \|/gm),
    ...(MADE.exec(read(memoryPage))?.[0] ?? '').matchAll(/^\| (\w+Repository[^|]*) \|/gm),
  ];
  const gone = named.filter(([, subject]) => !reports.some((report) => report.subject === subject));
  if (gone.length > 0) {
    console.error(`Not written, for these were not run: ${gone.map(([, subject]) => subject).join('; ')}`);
    process.exitCode = 1;
    return;
  }
  put(page, supportTable(storesOf(reports)));
  put(memoryPage, memoryTable(reports));
  const stores = readdirSync(join(root, 'packages/vector-stores')).map((name) => `packages/vector-stores/${name}`);
  for (const folder of ['packages/vector-store', ...stores]) {
    const path = `${folder}/README.md`;
    const className = existsSync(join(root, path)) && /new (\w+VectorStore)\(/.exec(read(path))?.[1];
    if (className) put(path, setUpTable(reports, className));
  }
}

function put(path, made) {
  writeFileSync(
    join(root, path),
    read(path).replace(MADE, (_, head, end) => `${head}\n${made}\n\n${end}`),
  );
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}
