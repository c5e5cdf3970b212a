// `pnpm build`, or any other turbo task with its arguments; telemetry off.
import { run } from './pnpm.mjs';

const [task = 'build', ...rest] = process.argv.slice(2);
process.exit(run('turbo', ['run', task, '--output-logs=errors-only', ...rest]));
