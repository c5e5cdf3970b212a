// Servers as containers, where a Docker engine answers.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const docker = async (...args) => (await run('docker', args, { timeout: 600_000 })).stdout.trim();

let engine;
/** Undefined where no engine answers, else its version. */
export function dockerVersion() {
  engine ??= docker('version', '--format', '{{.Server.Version}}').catch(() => undefined);
  return engine;
}

/** Starts a container whose port is published on the loopback address only. */
export async function startContainer(name, { image, port, environment }, isReady) {
  const variables = Object.entries(environment).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const container = await docker('run', '-d', '--rm', '-p', `127.0.0.1::${port}`, ...variables, image);
  const published = Number((await docker('port', container, String(port))).split('\n')[0].split(':').at(-1));
  for (let tries = 0; tries < 1_800; tries += 1) {
    if (await isReady(published)) return { container, port: published };
    await sleep(100);
  }
  await endContainer(container);
  throw new Error(`the container of ${name} did not answer within three minutes`);
}

export async function endContainer(container) {
  await docker('rm', '-f', container).catch(() => undefined);
}
