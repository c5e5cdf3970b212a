// Builds the package in the current folder: the compiler writes JavaScript and declarations to dist/, then every entry point's
// JavaScript is flattened into one file, because one file imports several times faster than fifty. A package that takes parts of a
// dependency into its own file says so in `inlinedDependencies`, and brings rolldown plugins in tools/build-plugins.mjs.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.cwd();
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const dist = join(folder, 'dist');

rmSync(dist, { recursive: true, force: true });
const compiled = spawnSync(process.execPath, [join(root, 'node_modules/tsgo/bin/tsc'), '-p', 'tsconfig.json'], {
  stdio: 'inherit',
});
if (compiled.status !== 0) process.exit(compiled.status ?? 1);

/** Every built file that somebody may name: entry points and commands; and `workerEntries`, which threads are started with. */
function entries() {
  const targets = new Set([...Object.values(manifest.bin ?? {}), ...(manifest.workerEntries ?? [])]);
  for (const target of Object.values(manifest.publishConfig?.exports ?? {}))
    if (target.default) targets.add(target.default);
  if (targets.size === 0) targets.add('./dist/main.js');
  return [...targets].filter((target) => target.startsWith('./dist/'));
}
function* files(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else yield path;
  }
}

const input = Object.fromEntries(
  entries().map((target) => [target.slice('./dist/'.length, -'.js'.length), join(folder, target)]),
);
const inlined = Object.keys(manifest.inlinedDependencies ?? {});
const own = join(folder, 'tools', 'build-plugins.mjs');
const bundle = await rolldown({
  input,
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'] },
  external: (id) => !inlined.includes(id) && !id.startsWith('.') && !id.startsWith('/') && !/^[A-Za-z]:/.test(id),
  plugins: existsSync(own) ? (await import(pathToFileURL(own).href)).default : [],
  onLog(level, log, handler) {
    // A package that imports itself in a circle would depend on the order of its files.
    if (log.code === 'CIRCULAR_DEPENDENCY') return;
    handler(level, log);
  },
});
const { output } = await bundle.generate({
  format: 'esm',
  // Files are not minified: a map would lead to what nobody has, and be as large as they are.
  sourcemap: false,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();

for (const path of files(dist)) if (path.endsWith('.js') || path.endsWith('.js.map')) rmSync(path);
for (const item of output) writeFileSync(join(dist, item.fileName), item.type === 'chunk' ? item.code : item.source);
for (const target of Object.values(manifest.bin ?? {})) chmodSync(join(folder, target), 0o755);

// Empty folders are left where all that they held was JavaScript.
const prune = (directory) => {
  for (const name of readdirSync(directory))
    if (statSync(join(directory, name)).isDirectory()) prune(join(directory, name));
  if (directory !== dist && readdirSync(directory).length === 0) rmSync(directory, { recursive: true });
};
prune(dist);
for (const target of Object.values(input))
  if (!existsSync(target)) throw new Error(`${relative(folder, target)} was not built`);
