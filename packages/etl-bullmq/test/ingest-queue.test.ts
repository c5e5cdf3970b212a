import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { VernalError } from '@vernal/core';
import type { QueuedIngestEvent } from '@vernal/etl-bullmq';
import { IngestQueue, IngestWorker } from '@vernal/etl-bullmq';
import { describe, expect, it } from 'vitest';
import { describeOnRedis } from './queue-server.js';
import { wordSource } from './redis-target.mjs';

const wordsOf = (sources: readonly string[], version = 'v1'): string[] =>
  sources.flatMap((source) => source.split('-').map((word) => `${source}:${word} ${version}`)).sort();

describeOnRedis('IngestQueue', ({ url, client, name, queue, worker, target, ledger }) => {
  it('has sources ingested by workers, and tells what became of each', async () => {
    const id = name();
    const workers = [worker(id), worker(id)];
    const sources = Array.from({ length: 30 }, (_, at) => `s${at}-b-c`);
    const events: QueuedIngestEvent[] = [];
    const all = queue(id);
    const report = await all.ingest(sources, { onProgress: (event) => events.push(event) });
    expect(report).toEqual({
      added: 30,
      changed: 0,
      unchanged: 0,
      removed: 0,
      failed: [],
      written: 90,
      resumed: 0,
      deleted: 0,
    });
    expect(events.map(({ source }) => source).sort()).toEqual([...sources].sort());
    expect(await target(id).texts()).toEqual(wordsOf(sources));
    expect(await all.ingest(sources)).toMatchObject({ unchanged: 30, written: 0 });
    for (const one of workers) await one.close();
  });

  it('takes out what the sources no longer name, when it is told to', async () => {
    const id = name();
    const one = worker(id);
    const all = queue(id);
    await all.ingest(['a-b', 'c']);
    const removeMissing = ledger(id);
    await expect(all.ingest([], { removeMissing })).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(await all.ingest(['c'], { removeMissing })).toMatchObject({ unchanged: 1, removed: 1, deleted: 2 });
    expect(await target(id).texts()).toEqual(wordsOf(['c']));
    expect(await all.ingest([], { removeMissing, allowEmpty: true })).toMatchObject({ removed: 1 });
    await one.close();
  });

  it('takes out a source that cannot be opened any more', async () => {
    const id = name();
    let isThere = true;
    const one = worker(id, { open: (source) => (isThere ? wordSource(source) : undefined) });
    const all = queue(id);
    await all.ingest(['a']);
    isThere = false;
    expect(await all.ingest(['a'])).toMatchObject({ removed: 1 });
    expect(await target(id).texts()).toEqual([]);
    await one.close();
  });

  it('tries again what may pass, and keeps what does not as a dead letter, without contents', async () => {
    const id = name();
    const tries = new Map<string, number>();
    let isMended = false;
    const one = worker(id, {
      open: (source) => {
        tries.set(source, (tries.get(source) ?? 0) + 1);
        if (source === 'busy' && tries.get(source) === 1) throw new Error('the text says secret');
        if (source === 'torn' && !isMended) throw new VernalError('torn.pdf: page 3 is torn', { code: 'resource' });
        if (source === 'never') throw new Error('the text says secret');
        return wordSource(source);
      },
    });
    const all = queue(id, { attempts: 3 });
    const report = await all.ingest(['busy', 'torn', 'never', 'good']);
    expect(report).toMatchObject({ added: 2 });
    expect(report.failed.map(({ source }) => source).sort()).toEqual(['never', 'torn']);
    expect(Object.fromEntries(tries)).toEqual({ busy: 2, torn: 1, never: 3, good: 1 });
    const letters = await all.deadLetters();
    expect(letters).toHaveLength(2);
    expect(letters).toContainEqual({
      source: 'torn',
      reason: 'resource: torn.pdf: page 3 is torn',
      attempts: 1,
      failedAt: expect.stringMatching(/^20\d\d-.*Z$/),
    });
    expect(JSON.stringify(letters)).not.toContain('secret');
    expect(await all.deadLetters({ limit: 1 })).toHaveLength(1);

    isMended = true;
    await all.retryDeadLetters();
    while ((await target(id).texts()).length < 3) await new Promise((resolve) => setImmediate(resolve));
    while ((await all.deadLetters()).length !== 1) await new Promise((resolve) => setImmediate(resolve));
    expect(await all.clearDeadLetters()).toBe(1);
    expect(await all.deadLetters()).toEqual([]);
    await one.close();
  });

  it('tells how far a source is', async () => {
    const id = name();
    const one = worker(id);
    const all = queue(id);
    await all.ingest(['a-b-c-d-e']);
    const [jobId = ''] = (await client.keys(`bull:${id}:*-*`))
      .map((key) => key.slice(`bull:${id}:`.length))
      .filter((key) => /^[\da-f-]{36}$/.test(key));
    // Nobody waits for progress.
    while ((await client.hget(`bull:${id}:${jobId}`, 'progress')) !== '{"written":5}')
      await new Promise((resolve) => setImmediate(resolve));
    await one.close();
  });

  it('ends the waiting by its signal and by what onProgress throws; the work goes on', async () => {
    const id = name();
    const all = queue(id);
    const leaving = new AbortController();
    const waiting = all.ingest(['a', 'b'], { signal: leaving.signal });
    while ((await client.llen(`bull:${id}:wait`)) < 2) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    const one = worker(id);
    while ((await target(id).texts()).length < 2) await new Promise((resolve) => setImmediate(resolve));
    const onProgress = (): void => {
      throw new Error('full screen');
    };
    await expect(all.ingest(['c'], { onProgress })).rejects.toThrow('full screen');
    await one.close();
  });

  it('leaves a client that was handed in open', async () => {
    const id = name();
    const one = worker(id, { connection: client });
    const all = queue(id, { connection: client });
    await all.ingest(['a']);
    await one.close();
    await all.close();
    await all.close();
    expect(await client.ping()).toBe('PONG');
  });

  it('a worker that is closed by force gives its source to the next one', async () => {
    const id = name();
    let isReading: () => void = () => {};
    const reading = new Promise<void>((resolve) => {
      isReading = resolve;
    });
    const first = worker(id, {
      lockDurationMs: 500,
      open: (source) => ({
        ...wordSource(source),
        reader: {
          async *stream() {
            isReading();
            await new Promise(() => {});
          },
        },
      }),
    });
    const all = queue(id);
    const waiting = all.ingest(['a-b']);
    await reading;
    await first.close({ force: true });
    const second = worker(id, { lockDurationMs: 500 });
    expect(await waiting).toMatchObject({ added: 1, failed: [] });
    expect(await target(id).texts()).toEqual(wordsOf(['a-b']));
    await second.close();
  });

  it('three workers in processes of their own, one of them killed in the middle: the same as if it had not been', async () => {
    const id = name();
    const children = Array.from({ length: 3 }, () => started(url, id));
    try {
      for (const { said } of children) await said('ready');
      const sources = Array.from({ length: 24 }, (_, at) => `s${at}-b-c-d-e-f-g-h`);
      const [victim] = children;
      if (victim === undefined) throw new Error('there is no worker');
      const killed = victim.said('wrote').then(() => victim.process.kill('SIGKILL'));
      const report = await queue(id).ingest(sources);
      await killed;
      expect(report).toMatchObject({ added: 24, failed: [] });
      expect(await target(id).texts()).toEqual(wordsOf(sources));
      expect(report.written + report.resumed).toBeGreaterThanOrEqual(24 * 8);
    } finally {
      for (const { process: child } of children) child.kill('SIGKILL');
    }
  });
});

interface Started {
  readonly process: ChildProcess;
  /** Resolves when it has written the word, from now on or before. */
  said(word: string): Promise<void>;
}

function started(url: string, name: string): Started {
  const script = fileURLToPath(new URL('./worker-process.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, url, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout?.on('data', (data: Buffer) => {
    output += data.toString();
  });
  return {
    process: child,
    async said(word) {
      while (!output.includes(word) && child.exitCode === null)
        await Promise.race([once(child.stdout as NodeJS.EventEmitter, 'data'), once(child, 'exit')]);
      if (!output.includes(word)) throw new Error(`the worker has ended before it said '${word}'`);
    },
  };
}

describe('options of queues and workers', () => {
  it('are checked before anything is opened', () => {
    const connection = { url: 'redis://127.0.0.1:1' };
    const good = { name: 'q', connection, open: () => undefined, ledger: {} as never, target: {} as never };
    for (const options of [
      { name: '' },
      { name: 'a:b' },
      { connection: undefined },
      { attempts: 0 },
      { backoffMs: -1 },
    ])
      expect(() => new IngestQueue({ name: 'q', connection, ...options } as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
    for (const options of [{ open: undefined }, { concurrency: 0 }, { lockDurationMs: 1.5 }, { maxStalledCount: 0 }])
      expect(() => new IngestWorker({ ...good, ...options } as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
  });
});
