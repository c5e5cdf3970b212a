import type { ApproveTool } from '@vernal/core';
import { mcpToolHints } from '@vernal/mcp';
import type { CliIo } from '../cli-io.js';
import { printable, writeLine } from '../output/write-line.js';
import type { Session } from '../session.js';

/** Asks whoever sits there; false when they refuse or are gone. Rejects when the signal stops it. */
export type Confirm = (question: string, signal: AbortSignal) => Promise<boolean>;

/** A question has to fit on the screen, and be read. */
const SHOWN_ARGUMENTS = 2_000;

/**
 * Decides about each call of a tool and says that it runs: one that may destroy something, by its annotations or for want of any, runs when
 * `--allow` names it or somebody says yes.
 */
export function approveTools(
  { json }: Pick<Session, 'json'>,
  allowed: ReadonlySet<string>,
  io: CliIo,
  confirm: Confirm | undefined,
): ApproveTool {
  const tell = (tool: string, runs: boolean): void => {
    if (json) writeLine(io.stdout, { type: 'tool', tool, runs });
    else if (runs) writeLine(io.stderr, printable(`Using ${tool}`));
    else if (confirm === undefined)
      writeLine(io.stderr, printable(`Not using ${tool}, which may destroy something: --allow ${tool} lets it`));
  };
  return async ({ name, arguments: input }, { definition, signal }) => {
    const mayDestroy = mcpToolHints(definition)?.destructive !== false;
    const asked = mayDestroy && !allowed.has(name) && !allowed.has('all');
    const runs = !asked || (confirm !== undefined && (await confirm(questionOf(name, input), signal)));
    tell(name, runs);
    if (runs) return { type: 'approve' };
    const reason =
      confirm === undefined ? 'It may destroy something, and nobody is there to be asked.' : 'The user said no.';
    return { type: 'deny', reason };
  };
}

function questionOf(name: string, input: string): string {
  const cut = input.length > SHOWN_ARGUMENTS ? `${input.slice(0, SHOWN_ARGUMENTS)}… (cut)` : input;
  return printable(`The tool ${name} may destroy something. It would be given ${cut}\nRun it? [y/N] `);
}
