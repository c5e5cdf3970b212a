import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { LedgerEntry } from '@vernal/core';
import { FileIngestLedger } from '@vernal/node';
import { describeIngestLedger, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vernal-ledger-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});
let files = 0;
const newPath = (): string => join(folder, `ledger ${++files}`);
const entry = (source: string, count = 1): LedgerEntry => ({ source, current: { version: 'v', count }, stale: [] });

describeIngestLedger(
  'FileIngestLedger',
  ({ namespace, scope }) => ({ subject: new FileIngestLedger(join(folder, namespace), { scope }) }),
  { runner: vitestRunner(vitest) },
);

/** One that puts entries until it is killed; started, and at work. */
async function holder(path: string): Promise<{ readonly process: ChildProcess; readonly lines: () => number }> {
  const script = fileURLToPath(new URL('./ledger-process.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let lines = 0;
  child.stdout?.on('data', (data: Buffer) => {
    lines += data.toString().split('\n').length - 1;
  });
  while (lines === 0 && child.exitCode === null)
    await Promise.race([once(child.stdout as NodeJS.EventEmitter, 'data'), once(child, 'exit')]);
  expect(child.exitCode).toBe(null);
  return { process: child, lines: () => lines };
}

describe('FileIngestLedger', () => {
  it('opens its file when it is first used, at a path or a file URL, and takes its lock away', async () => {
    const path = newPath();
    const ledger = new FileIngestLedger(pathToFileURL(path));
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    await ledger.put(entry('a'), undefined);
    expect((await stat(`${path}.lock`)).isFile()).toBe(true);
    await ledger.close();
    await expect(stat(`${path}.lock`)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(ledger.get('a')).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('is refused while another process has it, and has all that was acknowledged after that one was killed', async () => {
    const path = newPath();
    const { process: child, lines } = await holder(path);
    const ledger = new FileIngestLedger(path);
    await expect(ledger.get('source 0')).rejects.toMatchObject({
      code: 'ledger_locked',
      message: expect.stringContaining(`process ${child.pid}`),
    });
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    const acknowledged = lines();
    for (let at = 0; at < acknowledged; at++)
      expect(await ledger.get(`source ${at}`)).toMatchObject({ current: { count: at } });
    await ledger.close();
  });

  it('leaves out the piece of a line that a kill left, wherever it was cut', async () => {
    const path = newPath();
    const first = new FileIngestLedger(path);
    await first.put(entry('ä', 1), undefined);
    await first.put(entry('b', 2), undefined);
    await first.close();
    const whole = await readFile(path);
    const start = whole.indexOf(0x0a, whole.indexOf(0x0a) + 1) + 1;
    for (let cut = start; cut < whole.length; cut++) {
      await writeFile(path, whole.subarray(0, cut));
      const ledger = new FileIngestLedger(path);
      expect(await ledger.sources()).toEqual(['ä']);
      await ledger.put(entry('c', 3), undefined);
      await ledger.close();
      const again = new FileIngestLedger(path);
      expect(await again.sources()).toEqual(['c', 'ä']);
      await again.close();
    }
    for (let cut = 0; cut < whole.indexOf(0x0a); cut++) {
      await writeFile(path, whole.subarray(0, cut));
      const ledger = new FileIngestLedger(path);
      expect(await ledger.sources()).toEqual([]);
      await ledger.close();
    }
  });

  it('refuses what is no ledger, and leaves it as it is', async () => {
    const path = newPath();
    const head = '{"vernal":"ingest-ledger","version":1}\n';
    for (const [content, message] of [
      ['# Handbook\n', 'it is no ledger'],
      ['[1]', 'it is no ledger'],
      ['{"vernal":"ingest-ledger","version":2}\n', 'version 2'],
      [`${head}{"scope":\n{"scope":"default","source":"a","entry":null}\n`, 'line 2'],
    ] as const) {
      await writeFile(path, content);
      const ledger = new FileIngestLedger(path);
      const refusal = { code: 'ledger_read', subject: path, message: expect.stringContaining(message) };
      await expect(ledger.get('a')).rejects.toMatchObject(refusal);
      await expect(ledger.put(entry('a'), undefined)).rejects.toMatchObject(refusal);
      await ledger.close();
      expect(await readFile(path, 'utf8')).toBe(content);
      await expect(stat(`${path}.lock`)).rejects.toMatchObject({ code: 'ENOENT' });
    }
    await rm(path);
    await mkdir(path);
    await expect(new FileIngestLedger(path).get('a')).rejects.toMatchObject({ code: 'resource' });
    await expect(new FileIngestLedger(join(folder, 'nowhere', 'ledger')).get('a')).rejects.toMatchObject({
      code: 'resource',
      details: { reason: 'not_found' },
    });
  });

  it('takes over a lock of an earlier process of its own number, but not that of another machine', async () => {
    const path = newPath();
    const { hostname } = await import('node:os');
    await writeFile(`${path}.lock`, JSON.stringify({ pid: process.pid, host: hostname(), started: 5 }));
    const ledger = new FileIngestLedger(path);
    await ledger.put(entry('a'), undefined);
    await ledger.close();
    await writeFile(`${path}.lock`, JSON.stringify({ pid: 1, host: 'elsewhere', started: 5 }));
    await expect(new FileIngestLedger(path).get('a')).rejects.toMatchObject({ code: 'ledger_locked' });
    await rm(`${path}.lock`);
  });

  it('takes over a lock whose taking over was killed, but not one that somebody is taking over', async () => {
    const path = newPath();
    const { hostname } = await import('node:os');
    const dead = JSON.stringify({ pid: process.pid, host: hostname(), started: 5 });
    await writeFile(`${path}.lock`, dead);
    await writeFile(`${path}.lock.takeover`, JSON.stringify({ pid: process.ppid, host: hostname(), started: 5 }));
    await expect(new FileIngestLedger(path).get('a')).rejects.toMatchObject({ code: 'ledger_locked' });
    await writeFile(`${path}.lock.takeover`, dead);
    // Kills a little earlier.
    for (const ending of ['lock', 'lock.takeover']) await writeFile(`${path}.${ending}.${randomUUID()}`, dead);
    const ledger = new FileIngestLedger(path);
    await ledger.put(entry('a'), undefined);
    await ledger.close();
    const left = (await readdir(folder)).filter((name) => join(folder, name).startsWith(`${path}.`));
    expect(left).toEqual([]);
  });

  it('has a lock that says whose it is from the moment on that it is there', async () => {
    const path = newPath();
    const ledger = new FileIngestLedger(path);
    let isOpen = false;
    const opened = ledger.put(entry('a'), undefined).then(() => {
      isOpen = true;
    });
    const seen = new Set<string>();
    while (!isOpen) {
      await new Promise(setImmediate);
      if (existsSync(`${path}.lock`)) seen.add(readFileSync(`${path}.lock`, 'utf8'));
    }
    await opened;
    await ledger.close();
    expect([...seen].map((text) => JSON.parse(text).pid)).toEqual([process.pid]);
  });

  // With a limit on the size of files, which is lifted later, as when a disk was full for a time.
  const isLinux = process.platform === 'linux';
  const reason = isLinux ? '' : ' (skipped: only Linux lifts the limit of another process)';
  it.runIf(isLinux)(`stays whole when a line could not be written as a whole${reason}`, async () => {
    const path = newPath();
    const script = fileURLToPath(new URL('./ledger-on-full-disk.mjs', import.meta.url));
    const command = `trap '' XFSZ; ulimit -S -f 2; exec "$0" "$1" "$2"`;
    const child = spawn('bash', ['-c', command, process.execPath, script, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (data: Buffer) => chunks.push(data));
    await once(child, 'close');
    const { written, failed } = JSON.parse(Buffer.concat(chunks).toString());
    expect(failed).toEqual(['resource', 'resource']);
    const ledger = new FileIngestLedger(path);
    expect([...(await ledger.sources())].sort()).toEqual(written.sort());
    await ledger.close();
  });

  it('is written anew when most of its lines are outdated', async () => {
    const path = newPath();
    const ledger = new FileIngestLedger(path);
    let revision: string | undefined;
    for (let at = 0; at < 1200; at++) revision = await ledger.put(entry('a', at), revision);
    await ledger.put(entry('b'), undefined);
    await ledger.close();
    const before = (await stat(path)).size;
    await appendFile(path, '{"scope":"def');
    const again = new FileIngestLedger(path);
    expect(await again.get('a')).toMatchObject({ revision, current: { count: 1199 } });
    await again.put(entry('c'), undefined);
    await again.close();
    expect((await stat(path)).size).toBeLessThan(before / 100);
    const last = new FileIngestLedger(path);
    expect(await last.sources()).toEqual(['a', 'b', 'c']);
    await last.close();
  });
});
