import type { CommandArguments } from '../arguments.js';
import { usageError } from '../usage-error.js';

/** Options of the commands whose model may use the tools of MCP servers. */
export const MCP_OPTIONS = {
  mcp: { type: 'string', multiple: true },
  allow: { type: 'string', multiple: true },
} as const;

/** What of them was given. */
export interface McpWish {
  /** As the user names it. */
  readonly file: string;
  /** Names of tools that run without a question; 'all' stands for every one. */
  readonly allowed: ReadonlySet<string>;
}

/** Undefined without `--mcp`. */
export function mcpWish(given: CommandArguments): McpWish | undefined {
  const [file, second] = given.values('mcp');
  const allowed = given.values('allow').flatMap((list) => list.split(',').map((name) => name.trim()));
  if (second !== undefined) throw usageError('--mcp is there twice: put all servers into one file', 'mcp');
  if (file === undefined) {
    if (allowed.length === 0) return undefined;
    throw usageError('--allow is of no use without --mcp, which says where tools come from', 'allow');
  }
  return { file, allowed: new Set(allowed.filter((name) => name !== '')) };
}
