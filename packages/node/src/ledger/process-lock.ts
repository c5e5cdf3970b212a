import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { VernalError } from '@vernal/core';

/** Who holds a lock, as its file says. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in milliseconds since 1970: numbers of processes are used again. */
  readonly started: number;
}

/** What a process computes for its own start differs by less. */
const SAME_START_MS = 2000;

const UUID = /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** What file systems say that have no links. */
const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Makes a file that says that this process works at `path`; gives what takes it away. A lock whose process has ended, as after a kill, is
 * taken over.
 *
 * @throws VernalError `ledger_locked` while another process, or another thread of this one, holds it
 */
export async function lockForProcess(path: string): Promise<() => Promise<void>> {
  const lock = `${path}.lock`;
  if (!(await make(lock))) {
    // Of many that find a lock whose process has ended, one at a time looks again and takes it away.
    const turn = `${lock}.takeover`;
    if (!(await make(turn))) {
      const taker = await holderOf(turn);
      if (taker === undefined || isAlive(taker)) throw locked(path, turn, taker);
      await takeAway(turn, taker);
      if (!(await make(turn))) throw locked(path, turn, await holderOf(turn));
    }
    try {
      const holder = await holderOf(lock);
      if (holder === undefined || isAlive(holder)) throw locked(path, lock, holder);
      await unlink(lock);
      await clearUp(lock);
      if (!(await make(lock))) throw locked(path, lock, undefined);
    } finally {
      await unlink(turn);
    }
  }
  return () => unlink(lock);
}

/** False when it is there. It is there with what it says, or not at all: a kill in between must not leave one that says nothing. */
async function make(lock: string): Promise<boolean> {
  const holder: Holder = { pid: process.pid, host: hostname(), started: ownStart() };
  const own = `${lock}.${randomUUID()}`;
  await writeFile(own, JSON.stringify(holder), { flag: 'wx' });
  try {
    await link(own, lock);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    if (!WITHOUT_LINKS.some((code) => isCode(error, code))) throw error;
    return await makeInPlace(lock, holder);
  } finally {
    await unlink(own);
  }
}

async function makeInPlace(lock: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(lock, JSON.stringify(holder), { flag: 'wx' });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Takes away a file whose process has ended. One that somebody else has put there meanwhile is put back. */
async function takeAway(file: string, dead: Holder): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  const moved = await holderOf(aside);
  const isDead = moved?.pid === dead.pid && moved.host === dead.host && moved.started === dead.started;
  if (!isDead) await link(aside, file).catch(() => {});
  await unlink(aside);
}

/** Kills may have left files that were to become locks: those go whose process has ended. */
async function clearUp(lock: string): Promise<void> {
  const folder = dirname(lock);
  const beginning = `${basename(lock)}.`;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(beginning) || !UUID.test(name)) continue;
    const file = join(folder, name);
    const holder = await holderOf(file);
    if (holder !== undefined && !isAlive(holder)) await unlink(file).catch(() => {});
  }
}

/** Undefined when it is gone, or is just being written. */
async function holderOf(lock: string): Promise<Holder | undefined> {
  try {
    const { pid, host, started } = JSON.parse(await readFile(lock, 'utf8')) as Partial<Holder>;
    const isHolder = typeof pid === 'number' && typeof host === 'string' && typeof started === 'number';
    return isHolder ? { pid, host, started } : undefined;
  } catch {
    return undefined;
  }
}

/** Of a process of another machine nothing is known. */
function isAlive({ pid, host, started }: Holder): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return Math.abs(started - ownStart()) < SAME_START_MS;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isCode(error, 'ESRCH');
  }
}

function ownStart(): number {
  return Math.round(Date.now() - process.uptime() * 1000);
}

function locked(path: string, lock: string, holder: Holder | undefined): VernalError {
  const by = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`;
  return new VernalError(`${path} is in use by ${by}: wait for it, or delete ${lock} if it has ended`, {
    code: 'ledger_locked',
    subject: path,
  });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
