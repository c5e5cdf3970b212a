import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleProgram } from '../../../../scripts/bundle-program.mjs';

/** What the process appends, and where. */
export interface ProcessTurns {
  readonly url: string;
  readonly databaseName: string;
  readonly collectionName: string;
  readonly conversationId: string;
  readonly name: string;
  readonly turns: number;
}

/** Has another process append turns through a repository of its own; fails when it does not end well. */
export async function appendInProcess(turns: ProcessTurns): Promise<void> {
  const program = await bundleProgram(fileURLToPath(new URL('./append.entry.ts', import.meta.url)));
  await promisify(execFile)(process.execPath, [program, JSON.stringify(turns)]);
}
