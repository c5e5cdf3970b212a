export type { CliIo } from './cli-io.js';
export { processIo } from './process-io.js';
export { runCli } from './run-cli.js';
