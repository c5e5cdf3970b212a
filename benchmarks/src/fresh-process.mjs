// What a program pays once: imports, and the first call. Each is measured in processes of its own, taking turns.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const peers = fileURLToPath(new URL('../peers/', import.meta.url));
export const peersInstalled = existsSync(`${peers}node_modules`);

/**
 * @param {{ imports: readonly string[], peer?: boolean, prepare?: string, call?: string }} program `call` is measured; modules are `m[0]`, `m[1]`, …
 * @returns {{ process: number, megabytes: number, call: number }} whole process and call in ms
 */
function run({ imports, peer = false, prepare = '', call = '' }) {
  const code = `
    const m = [${imports.map((name) => `await import('${name}')`).join(', ')}];
    const { rss } = process.memoryUsage();
    ${prepare}
    const started = performance.now();
    ${call}
    console.log(JSON.stringify({ call: performance.now() - started, megabytes: rss / 1e6 }));`;
  const started = performance.now();
  const result = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: peer ? peers : here,
    encoding: 'utf8',
  });
  const took = performance.now() - started;
  if (result.status !== 0) throw new Error(result.stderr);
  return { process: took, ...JSON.parse(result.stdout) };
}

/** The rounds of each program, by its name. */
export function inFreshProcesses(programs, rounds = 15) {
  const names = Object.keys(programs);
  const found = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) found.get(name).push(run(programs[name]));
  return found;
}

export const medianOf = (runs, what) => median(runs.map((one) => one[what]));
