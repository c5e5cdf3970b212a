import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../../scripts/bundle-program.mjs';

/** What the process appends, and where. */
export interface ProcessTurns {
  readonly url: string;
  readonly tablePrefix: string;
  readonly conversationId: string;
  readonly name: string;
  /** Left out: until it is killed. */
  readonly turns?: number | undefined;
}

/** A process that appends turns; `ended` fails when it does not end well and was not killed. */
export interface AppendingProcess {
  readonly ended: Promise<void>;
  kill(): void;
}

/** Starts `append.entry.ts` in a process of its own; `stored` hears of each turn that it has stored. */
export async function appendInProcess(turns: ProcessTurns, stored?: (turn: number) => void): Promise<AppendingProcess> {
  const program = await bundleProgram(fileURLToPath(new URL('./append.entry.ts', import.meta.url)));
  const child = spawn(process.execPath, [program, JSON.stringify(turns)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => stored?.(Number(line)));
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve();
      else reject(new Error(`the process ended with ${code ?? signal}: ${errors}`));
    });
  });
  return { ended, kill: () => void child.kill('SIGKILL') };
}
