// Servers as processes of this machine: a free port, a folder of their own, ended by process id.
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, closeSync, mkdtempSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A port of the loopback address that nobody listens on. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** As whom a server runs that refuses to run as root: the user that owns nothing; else as we do. */
export const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A new folder for an engine's data. */
export function dataFolder(name, owner = {}) {
  const folder = mkdtempSync(join(tmpdir(), `vernal-${name}-`));
  chmodSync(folder, 0o755);
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

/**
 * Starts a server that goes on when we end, or one that Linux kills with the thread that started it, `dependent`; resolves with its process
 * id once `isReady` says so of the port.
 */
export async function startServer(command, args, { port, folder, isReady, timeoutMs = 60_000, dependent, ...options }) {
  const log = join(folder, 'server.log');
  const out = openSync(log, 'a');
  const line = [...(dependent ? ['setpriv', '--pdeathsig', 'KILL'] : []), command, ...args];
  const child = spawn(line[0], line.slice(1), { cwd: folder, ...options, detached: true, stdio: ['ignore', out, out] });
  closeSync(out);
  let ended;
  child.once('exit', (code, signal) => (ended = `it ended with ${signal ?? code}`));
  child.once('error', (error) => (ended = error.message));
  const until = Date.now() + timeoutMs;
  while (!(await isReady(port))) {
    if (ended === undefined && Date.now() < until) {
      await sleep(50);
      continue;
    }
    child.kill('SIGKILL');
    const tail = readFileSync(log, 'utf8').trim().split('\n').slice(-3).join(' | ');
    throw new Error(`${command.split('/').at(-1)} did not start: ${ended ?? 'no answer in time'}. ${tail}`);
  }
  child.unref();
  return child.pid;
}

/** Ends a process politely, then by force; returns once it is gone. */
export async function endProcess(pid) {
  for (const [signal, tries] of [
    // PostgreSQL waits for its clients at SIGTERM and MariaDB does not hear SIGINT.
    ['SIGINT', 20],
    ['SIGTERM', 200],
    ['SIGKILL', 40],
  ]) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    for (let i = 0; i < tries && isAlive(pid); i += 1) await sleep(50);
  }
}

/** Kills a process and what it started, as a power cut would; returns once all are gone. */
export async function killProcess(pid) {
  const doomed = [pid];
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((name) => [Number(name), status(name)?.parent]));
  // The list grows while it is walked: children of children.
  for (const parent of doomed) for (const [child, its] of parents) if (its === parent) doomed.push(child);
  for (const one of doomed) if (isAlive(one)) process.kill(one, 'SIGKILL');
  while (doomed.some((one) => (status(one)?.state ?? 'Z') !== 'Z')) await sleep(5);
  // PostgreSQL does not start while the id in its lock file is that of a process, be it one that has ended: its parent must have heard of it.
  for (let i = 0; i < 400 && isAlive(pid); i += 1) await sleep(5);
}

/** Of a process by its id; undefined once there is none. */
function status(pid) {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
