// Servers that are published as Go modules: built once. A module's files are read-only and shared, so a copy is built.
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cached, output } from './cache.mjs';

/**
 * The path of the program that a package of a module builds. `files` are put into the module first, by path: what its own build makes and
 * the module lacks.
 */
export async function goProgram(module, version, { command, files = {}, tags = [] }) {
  const name = command.split('/').at(-1);
  const folder = await cached(`go-${name}-${version}`, async (work) => {
    const env = { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' };
    const downloaded = await output('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd: work, env });
    const sources = join(work, 'sources');
    cpSync(JSON.parse(downloaded).Dir, sources, { recursive: true });
    await output('chmod', ['-R', 'u+w', sources]);
    for (const [path, text] of Object.entries(files)) writeFileSync(join(sources, path), text);
    const flags = ['-buildvcs=false', '-trimpath', '-ldflags=-s -w', `-tags=${tags.join(',')}`];
    const build = ['build', ...flags, '-o', join(work, name), `./${command}`];
    await output('go', build, { cwd: sources, env: { ...env, GOFLAGS: '-mod=readonly' }, timeoutMs: 900_000 });
    rmSync(sources, { recursive: true });
  });
  return join(folder, name);
}
