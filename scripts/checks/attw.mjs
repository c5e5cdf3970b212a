// "Are the types wrong?" over the packed packages, with the profile for packages that are ES modules only.
import { spawnSync } from 'node:child_process';
import { pack } from '../pack.mjs';
import { env, root } from '../pnpm.mjs';

export default function attw() {
  const problems = [];
  for (const one of pack()) {
    if (Object.keys(one.manifest.exports ?? {}).every((entry) => entry === './package.json')) continue;
    const result = spawnSync(
      'attw',
      [one.tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-color', '--no-emoji'],
      { cwd: root, env: env(), encoding: 'utf8' },
    );
    if (result.status !== 0) problems.push(`${one.name}:\n${`${result.stdout}${result.stderr}`.trim()}`);
  }
  return problems;
}
