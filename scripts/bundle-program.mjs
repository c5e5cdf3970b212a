// A program in one file that Node.js runs without a compiler, made from sources: for threads and for processes that tests start.
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

const bundled = new Map();

/** The file of the program that begins with `source`. It lies in its package, so that what is not bundled is found from there. */
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
    external: (imported) => !/^(?:[./]|@vernal\/|[A-Za-z]:)/.test(imported),
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
