import type { Neo4jMemoryLabels } from '@vernal/memory-neo4j';
import { runProgram } from '../../../../scripts/run-program.mjs';

/** What the process appends, and where. */
export interface ProcessTurns {
  readonly url: string;
  readonly labels: Neo4jMemoryLabels;
  readonly conversationId: string;
  readonly name: string;
  readonly turns: number;
}

/** Has another process append turns through a repository of its own; rejects with what it wrote when it does not end well. */
export async function appendInProcess(turns: ProcessTurns): Promise<void> {
  await runProgram(new URL('./append.entry.ts', import.meta.url), turns);
}
