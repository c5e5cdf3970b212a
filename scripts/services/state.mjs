// What `up` started, for `down` and for the tests: one JSON file in the workspace, so that it holds whatever starts the tests.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../pnpm.mjs';

const path = join(root, '.vernal', 'services.json');

/** @returns {Record<string, import('./state.d.mts').Service>} by engine */
export function readState() {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

/**
 * Of one engine; undefined forgets it. What others wrote in the meantime stays: engines are started side by side, by several of us.
 * @param {string} name @param {import('./state.d.mts').Service | undefined} service
 */
export function writeState(name, service) {
  const { [name]: _, ...state } = readState();
  if (service !== undefined) state[name] = service;
  if (Object.keys(state).length === 0) {
    rmSync(path, { force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(state, undefined, 2)}\n`);
  renameSync(`${path}.${process.pid}`, path);
}
