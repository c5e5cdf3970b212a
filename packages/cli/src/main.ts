#!/usr/bin/env node
import { processIo } from './process-io.js';
import { runCli } from './run-cli.js';

// A reader that closes early ('vernal … | head') is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
runCli(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
