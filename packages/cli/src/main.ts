#!/usr/bin/env node
import { processIo } from './process-io.js';
import { runCli } from './run-cli.js';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes early ('vernal … | head') is no failure.
    if (error.code === 'EPIPE') process.exit(0);
    if (stream === process.stdout)
      process.stderr.write(`The output cannot be written (${error.code ?? error.name}).\n`);
    process.exit(1);
  });
}
process.exitCode = await runCli(process.argv.slice(2), processIo());
