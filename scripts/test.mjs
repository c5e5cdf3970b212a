// `npm test` and `pnpm test`: installs, builds, and runs every test in one vitest process. Arguments go to vitest.
import { join } from 'node:path';
import { install, root, run } from './pnpm.mjs';

install();
const rest = process.argv.slice(2);
const built = run('turbo', ['run', 'build', '--output-logs=errors-only']);
if (built !== 0) process.exit(built);
const code =
  rest.length > 0
    ? run('vitest', ['run', ...rest])
    : run('turbo', ['run', '//#vitest', '--output-logs=full', '--ui=stream', '--log-prefix=none']);
// Which of the engines these tests had, and what to do about the others.
run(process.execPath, [join(root, 'scripts', 'services.mjs'), 'status']);
process.exit(code);
