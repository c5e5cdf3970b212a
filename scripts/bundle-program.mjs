// A program in one file that Node.js runs without a compiler, made from sources: for threads and for processes that tests start.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

const bundled = new Map();

/** The file of the program that begins with `source`. It lies in its package; what that depends on is not bundled, and found from there. */
export function bundleProgram(source) {
  const known = bundled.get(source) ?? bundle(source);
  bundled.set(source, known);
  return known;
}

async function bundle(source) {
  const bundle = await rolldown({
    input: source,
    platform: 'node',
    resolve: { conditionNames: ['@vernal/source', 'node', 'import', 'default'] },
    external: (imported) => !/^(?:[./]|@vernal\/|[A-Za-z]:[\\/])/.test(imported) && isFound(imported, dirname(source)),
  });
  const { output } = await bundle.generate({ format: 'esm', sourcemap: 'inline', codeSplitting: false });
  await bundle.close();
  const { code } = output[0];
  const folder = join(dirname(source), '..', 'node_modules', '.vernal-programs');
  const file = join(folder, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`);
  // Several runs may get here at once.
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, code);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

/** False for what only a package depends on whose sources are bundled. */
function isFound(imported, folder) {
  if (imported.startsWith('node:') || builtinModules.includes(imported)) return true;
  const name = imported
    .split('/')
    .slice(0, imported.startsWith('@') ? 2 : 1)
    .join('/');
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', name))) return true;
    if (at === dirname(at)) return false;
  }
}
