// Packs every publishable package, as npm would get it, into .vernal/packed/.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './pnpm.mjs';
import { publicPackages } from './workspace.mjs';

let packed;
/** [{ name, folder, path, manifest, tarball }]; packs once a process. */
export function pack() {
  if (packed !== undefined) return packed;
  const target = join(root, '.vernal', 'packed');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  packed = publicPackages().map((one) => {
    const folder = join(target, one.name.replace('@', '').replace('/', '-'));
    const code = run('pnpm', ['pack', '--pack-destination', folder], {
      cwd: one.path,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (code !== 0) throw new Error(`${one.name} cannot be packed`);
    const file = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    return { ...one, tarball: join(folder, file) };
  });
  return packed;
}
