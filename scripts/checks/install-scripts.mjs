// No install script may reach the network: with everything fetched, the same install must pass without one.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { env, root } from '../pnpm.mjs';
import { files } from '../workspace.mjs';

export default function installScripts(report = () => {}) {
  const probe = spawnSync('unshare', ['-rn', 'true']);
  if (probe.status !== 0) {
    if (process.env.CI)
      return [
        'this machine cannot take the network away from a process (unshare -rn fails), so install scripts cannot be checked',
      ];
    report('skipped: this machine cannot take the network away from a process');
    return [];
  }
  const copy = mkdtempSync(join(tmpdir(), 'vernal-install-'));
  try {
    for (const path of files(root)) {
      const name = path.slice(root.length);
      if (
        !/(^|\/)(package\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml)$/.test(name) ||
        name.startsWith('benchmarks/peers/')
      )
        continue;
      mkdirSync(dirname(join(copy, name)), { recursive: true });
      cpSync(path, join(copy, name));
    }
    const pnpm = (before, ...args) =>
      spawnSync(before[0] ?? 'pnpm', [...before.slice(1), ...(before.length > 0 ? ['pnpm'] : []), ...args], {
        cwd: copy,
        env: env(),
        encoding: 'utf8',
      });
    const fetched = pnpm([], 'fetch');
    if (fetched.status !== 0) return [`pnpm fetch: ${fetched.stdout}${fetched.stderr}`];
    const installed = pnpm(['unshare', '-rn'], 'install', '--offline', '--frozen-lockfile');
    return installed.status === 0
      ? []
      : [`an install without a network fails:\n${installed.stdout}${installed.stderr}`];
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
