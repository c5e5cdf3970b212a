import type { CommandArguments } from '../arguments.js';
import { usageError } from '../usage-error.js';

/** Options of `vernal mcp serve`. */
export const SERVE_OPTIONS = {
  http: { type: 'string', multiple: true },
  about: { type: 'string', multiple: true },
} as const;

/** Does the command line start a server whose stdout belongs to the protocol? */
export function speaksProtocol(args: readonly string[]): boolean {
  return args[0] === 'mcp' && !args.some((one) => one === '--http' || one.startsWith('--http='));
}

/** The port that `--http` names; undefined without it. */
export function httpPort(given: CommandArguments): number | undefined {
  const text = given.values('http').at(-1);
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw usageError(`--http ${text} is no port: write a number from 1 to 65535, or 0 for a free one`, 'http');
}
