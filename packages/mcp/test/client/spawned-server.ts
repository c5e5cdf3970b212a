import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The file that is a server, for stdio and for a process of its own. */
export const PLAIN: string = fileURLToPath(new URL('./plain-server.mjs', import.meta.url));

/** A server over HTTP in a process that can be killed. */
export interface SpawnedServer {
  readonly url: string;
  readonly port: number;
  /** Without a chance to say good-bye. */
  kill(): Promise<void>;
}

export async function spawnHttp(port = 0): Promise<SpawnedServer> {
  const child: ChildProcess = spawn(process.execPath, [PLAIN, 'http', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout === null) throw new Error('no output');
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    url,
    port: Number(new URL(url).port),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
