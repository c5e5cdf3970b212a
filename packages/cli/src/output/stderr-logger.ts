import { inspect } from 'node:util';
import type { Logger } from '@vernal/core';
import type { CliIo } from '../cli-io.js';
import { printable, writeLine } from './write-line.js';

/** Warnings always, everything else with `--verbose`. */
export function stderrLogger(io: CliIo, verbose: boolean): Logger {
  const write: Logger['warn'] = (message, data) => {
    const facts = data === undefined ? '' : ` ${inspect(data, { breakLength: Number.POSITIVE_INFINITY })}`;
    writeLine(io.stderr, printable(`${message}${facts}`));
  };
  const quiet = (): void => {};
  return { debug: verbose ? write : quiet, info: verbose ? write : quiet, warn: write };
}
