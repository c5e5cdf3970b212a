// Runs every test on another major version of Node.js, which npm brings: `node scripts/other-node.mjs 22`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tellFatal, withFatalReport } from './fatal-report.mjs';
import { env, root } from './pnpm.mjs';

const major = process.argv[2];
if (!/^\d+$/.test(major ?? '')) throw new Error('usage: node scripts/other-node.mjs <major>');
const folder = join(root, '.tools', `node${major}`);
const find = () => {
  const modules = join(folder, 'node_modules');
  const names = existsSync(modules)
    ? readdirSync(modules).filter((name) => name === 'node' || name.startsWith('node-'))
    : [];
  return names.map((name) => join(modules, name, 'bin', 'node')).find((path) => existsSync(path));
};
if (find() === undefined) {
  mkdirSync(folder, { recursive: true });
  spawnSync(
    'npm',
    ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error', `node@${major}`],
    { stdio: 'inherit' },
  );
}
const node = find();
if (node === undefined) throw new Error(`npm has no Node.js ${major} for this machine`);
const version = spawnSync(node, ['-v'], { encoding: 'utf8' }).stdout.trim();
if (!version.startsWith(`v${major}.`)) throw new Error(`expected Node.js ${major}, found ${version}`);
console.log(`Node.js ${version}`);
const results = join(root, '.vernal', `test-results-node${major}.json`);
rmSync(results, { force: true });
const result = spawnSync(
  node,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=.vernal/test-results-node${major}.json`,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: withFatalReport({ ...env(), PATH: `${join(node, '..')}:${env().PATH}` }),
  },
);
tellFatal(`Node.js ${version}`, result, results);
process.exit(result.status ?? 1);
