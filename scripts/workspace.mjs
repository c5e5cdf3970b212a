// What is in the workspace: every package with its folder and manifest.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './pnpm.mjs';

const skip = new Set(['node_modules', 'dist', '.git', '.turbo', '.tools', '.vernal', 'coverage']);

/** Every file below a folder, without what is installed or built. */
export function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (skip.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else yield path;
  }
}

/** Packages of `packages/*` and `packages/*\/*`. */
export function packages() {
  const found = [];
  for (const one of readdirSync(join(root, 'packages'))) {
    const folder = join(root, 'packages', one);
    const nested = existsSync(join(folder, 'package.json'))
      ? [folder]
      : readdirSync(folder).map((two) => join(folder, two));
    for (const path of nested) {
      if (!existsSync(join(path, 'package.json'))) continue;
      const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      found.push({ path, folder: relative(root, path), name: manifest.name, manifest });
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export const publicPackages = () => packages().filter((one) => one.manifest.private !== true);
