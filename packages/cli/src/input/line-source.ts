import { createInterface } from 'node:readline';
import type { CliIo } from '../cli-io.js';
import type { Confirm } from '../mcp/tool-approval.js';

/** Where a conversation's questions come from, a line each. */
export interface LineSource {
  /** Until the input ends. Can be read once. */
  lines(): AsyncIterable<string>;
  /** A Ctrl-C while a line is awaited. */
  interrupt(): void;
  /** Asks something while a line is being dealt with; undefined where nobody can be asked. */
  readonly confirm: Confirm | undefined;
  close(): void;
}

/** Lines of a pipe or a file. */
export function pipedLines(io: CliIo): LineSource {
  const reader = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  // Lines that come before somebody asks for the first, while servers are being started, are kept from here on.
  const lines = reader[Symbol.asyncIterator]();
  const close = (): void => reader.close();
  return { lines: () => lines, interrupt: close, confirm: undefined, close };
}
