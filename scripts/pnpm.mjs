// Finds the pnpm that `packageManager` names: the one that runs this script, or one installed by npm into .tools/.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager.split('@')[1];

/** The folder that must stand first on PATH; undefined when pnpm runs us already. */
function ownPnpm() {
  const { npm_config_user_agent: agent, npm_execpath: running } = process.env;
  // Whoever runs pnpm by its path may not have it on PATH.
  if (agent?.startsWith('pnpm/')) return running === undefined ? undefined : dirname(running);
  const folder = join(root, '.tools', 'pnpm');
  const manifest = join(folder, 'node_modules', 'pnpm', 'package.json');
  if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, 'utf8')).version !== wanted) {
    mkdirSync(folder, { recursive: true });
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    execFileSync(
      npm,
      ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error', `pnpm@${wanted}`],
      {
        stdio: 'inherit',
        shell: process.platform === 'win32',
      },
    );
  }
  return join(folder, 'node_modules', '.bin');
}

let environment;
/** The environment for child processes: our pnpm and the workspace's tools on PATH, no telemetry. */
export function env() {
  if (environment === undefined) {
    const separator = process.platform === 'win32' ? ';' : ':';
    const folders = [ownPnpm(), join(root, 'node_modules', '.bin'), process.env.PATH].filter(Boolean);
    environment = { ...process.env, PATH: folders.join(separator), TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' };
  }
  return environment;
}

/** Runs a command in the root folder; returns its exit code. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: env(),
    shell: process.platform === 'win32',
    ...options,
  });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

/** Installs the workspace from the lock file. Native builds find the headers of an npm that knows where they are. */
export function install() {
  const installed = join(root, 'node_modules', '.modules.yaml');
  const lock = join(root, 'pnpm-lock.yaml');
  const state = join(root, 'node_modules', '.pnpm', 'lock.yaml');
  if (existsSync(installed) && existsSync(state) && readFileSync(state, 'utf8') === readFileSync(lock, 'utf8')) return;
  const code = run('pnpm', ['install', '--frozen-lockfile', '--reporter=append-only']);
  if (code !== 0) process.exit(code);
}
