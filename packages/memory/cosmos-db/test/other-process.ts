import { type RunningProgram, startProgram } from '../../../../scripts/run-program.mjs';
import type { Account } from './account.js';

/** What the process appends, and where. */
export interface ProcessTurns extends Account {
  readonly containerName: string;
  readonly conversationId: string;
  readonly name: string;
  /** Left out: until it is killed. */
  readonly turns?: number | undefined;
}

/** Starts `append.entry.ts` in a process of its own; `stored` hears of each turn that it has stored. */
export async function appendInProcess(turns: ProcessTurns, stored?: (turn: number) => void): Promise<RunningProgram> {
  return startProgram(new URL('./append.entry.ts', import.meta.url), turns, (line) => stored?.(Number(line)));
}
