// `npm test` and `pnpm test`: installs, builds, and runs every test in one vitest process. Arguments go to vitest.
import { install, run } from './pnpm.mjs';

install();
const rest = process.argv.slice(2);
const built = run('turbo', ['run', 'build', '--output-logs=errors-only']);
if (built !== 0) process.exit(built);
process.exit(
  rest.length > 0
    ? run('vitest', ['run', ...rest])
    : run('turbo', ['run', '//#vitest', '--output-logs=full', '--ui=stream', '--log-prefix=none']),
);
