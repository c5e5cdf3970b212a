import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server over HTTP in a process of its own, which ends when its input does. */
export interface WeatherProcess extends AsyncDisposable {
  readonly url: string;
}

export async function startWeather(main: string): Promise<WeatherProcess> {
  const child: ChildProcess = spawn(process.execPath, [main, 'weather'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  if (child.stdout === null) throw new Error('The weather server has no output');
  const first = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line));
  const url = await Promise.race([first, ended.then(() => undefined)]);
  if (url === undefined) throw new Error('The weather server ended before it had an address');
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.stdin?.end();
      await ended;
    },
  };
}
