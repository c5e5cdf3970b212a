// `pnpm bench`: builds, then measures. `--peers` installs the peers into benchmarks/peers first and measures them in the same run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { install, root, run } from './pnpm.mjs';

install();
const args = process.argv.slice(2);
const built = run('turbo', ['run', 'build', '--output-logs=errors-only']);
if (built !== 0) process.exit(built);
const peers = join(root, 'benchmarks', 'peers');
if (args.includes('--peers') && !existsSync(join(peers, 'node_modules'))) {
  const code = run('npm', [
    'install',
    '--prefix',
    peers,
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
  ]);
  if (code !== 0) process.exit(code);
}
process.exit(run(process.execPath, ['--expose-gc', join(root, 'benchmarks/src/main.mjs'), ...args]));
