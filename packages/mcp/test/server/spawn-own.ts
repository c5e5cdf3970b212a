import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../../../scripts/bundle-program.mjs';

/** The server's program as a file that Node.js runs. */
export function ownProgram(): Promise<string> {
  return bundleProgram(fileURLToPath(new URL('./own-program.ts', import.meta.url)));
}

/** The server in a process that can be killed. */
export interface OwnProcess extends AsyncDisposable {
  readonly url: URL;
  readonly child: ChildProcess;
  /** Without a chance to say good-bye. */
  kill(): Promise<void>;
}

export async function spawnOwn(port = 0): Promise<OwnProcess> {
  const child = spawn(process.execPath, [await ownProgram(), 'http', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [address] = await once(createInterface({ input: child.stdout }), 'line');
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { url: new URL(String(address)), child, kill, [Symbol.asyncDispose]: kill };
}
