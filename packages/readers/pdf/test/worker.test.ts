import { spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bytesResource, type Document, VernalError } from '@vernal/core';
import { PagePdfDocumentReader, type PagePdfReaderOptions, PdfWorkerPool } from '@vernal/readers-pdf';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lines, pdf } from './pdf-builder.js';

const PAGES = 500;
/** So many pages that a thread can be seen at work. */
const large = pdf({
  pages: Array.from({ length: PAGES }, (_, at) =>
    lines(
      Array.from({ length: 12 }, (_, row) => `Line ${row} of page ${at + 1} has some words of its own`),
      20,
      380,
    ),
  ),
});
const small = pdf({ pages: [lines(['one'], 20, 300), lines(['two'], 20, 300)] });

const pool = new PdfWorkerPool();
afterAll(() => pool.close());

const reader = (bytes: Uint8Array, options?: PagePdfReaderOptions): PagePdfDocumentReader =>
  new PagePdfDocumentReader(bytesResource(bytes, { filename: 'a.pdf' }), options);
const failure = async (run: Promise<unknown>): Promise<VernalError> => {
  const error = await run.then(
    () => new Error('it did not fail'),
    (caught: unknown) => caught,
  );
  if (!VernalError.is(error)) throw error;
  return error;
};

describe('a reading in a thread', () => {
  it('streams 500 pages, and the event loop turns meanwhile', async () => {
    let turns = 0;
    let longest = 0;
    let last = performance.now();
    let isOver = false;
    const turn = (): void => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      turns++;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const started = performance.now();
    const numbers: unknown[] = [];
    for await (const { metadata } of reader(large).stream()) numbers.push(metadata['page_number']);
    isOver = true;
    expect(numbers).toEqual(Array.from({ length: PAGES }, (_, at) => at + 1));
    expect(turns).toBeGreaterThan(PAGES);
    expect(longest).toBeLessThan((performance.now() - started) / 4);
  });

  it('is not ahead of whoever reads it: who takes one page pays for a few', async () => {
    const cpuOf = async (run: () => Promise<unknown>): Promise<number> => {
      const before = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const whole = await cpuOf(() => reader(large, { worker: pool }).read());
    const first = await cpuOf(async () => {
      for await (const _ of reader(large, { worker: pool }).stream()) {
        // A thread that went on by itself would be far ahead after this.
        for (let time = 0; time < 5; time++) await reader(small, { worker: pool }).read();
        break;
      }
    });
    expect(first).toBeLessThan(whole / 2);
  });

  it('ends at once when it is aborted', async () => {
    for (const worker of [true, pool, false]) {
      const controller = new AbortController();
      const documents: Document[] = [];
      const run = async (): Promise<void> => {
        for await (const document of reader(large, { worker }).stream({ signal: controller.signal })) {
          documents.push(document);
          if (documents.length === 3) controller.abort();
        }
      };
      expect((await failure(run())).code).toBe('aborted');
      expect(documents).toHaveLength(3);
    }
  });

  it('leaves no listener on a signal that did not fire', async () => {
    const { signal } = new AbortController();
    for (const worker of [true, pool, false]) expect(await reader(small, { worker }).read({ signal })).toHaveLength(2);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('whose thread ends by itself is an error without the words of another', async () => {
    // The words are put together there, for the code is in the stack.
    for (const code of ['', 'throw new Error("sec" + "ret")']) {
      const broken = new PdfWorkerPool({ workerUrl: `data:text/javascript,${encodeURIComponent(code)}` });
      const error = await failure(reader(small, { worker: broken }).read());
      expect([error.code, error.subject, error.details]).toEqual(['resource', 'a.pdf', { reason: 'stopped' }]);
      expect(`${error.stack} ${(error.cause as Error | undefined)?.stack}`).not.toContain('secret');
    }
  });

  it('ends while it is at a page, too', async () => {
    const controller = new AbortController();
    const run = reader(large, { pagesPerDocument: 0, worker: pool }).read({ signal: controller.signal });
    setImmediate(() => controller.abort());
    expect((await failure(run)).code).toBe('aborted');
    const busy = new AbortController();
    const stream = reader(large, { worker: pool }).stream({ signal: busy.signal });
    await stream.next();
    const next = reader(large, { pagesPerDocument: 0, worker: pool }).read({ signal: busy.signal });
    await stream.next();
    busy.abort();
    expect((await failure(next)).code).toBe('aborted');
    expect((await failure(stream.next())).code).toBe('aborted');
    expect((await failure(reader(large, { pagesPerDocument: 0 }).read({ signal: AbortSignal.timeout(1) }))).code).toBe(
      'timeout',
    );
  });

  it('can be left, and read again', async () => {
    for (const worker of [pool, false]) {
      const one = reader(large, { worker, pageRanges: [{ start: 1, end: 30 }] });
      for await (const { metadata } of one.stream()) {
        expect(metadata['page_number']).toBe(1);
        break;
      }
      expect(await one.read()).toHaveLength(30);
    }
  });

  it('goes on beside others, also those of one reader', async () => {
    const same = reader(small, { worker: pool });
    const all = await Promise.all([
      same.read(),
      same.read(),
      reader(small).read(),
      reader(small, { worker: false }).read(),
    ]);
    for (const documents of all) expect(documents.map(({ text }) => text)).toEqual(['one', 'two']);
    const texts: unknown[] = [];
    for await (const outer of same.stream())
      for await (const inner of same.stream()) texts.push(`${outer.text} ${inner.text}`);
    expect(texts).toEqual(['one one', 'one two', 'two one', 'two two']);
  });

  it('that needs too much memory is an error of the file, and of no other', async () => {
    const error = await failure(reader(large, { limits: { maxHeapMb: 8 } }).read());
    expect([error.code, error.subject, error.details]).toEqual(['resource', 'a.pdf', { reason: 'memory' }]);
    expect(error.message).toContain('limits.maxHeapMb');
    expect(await reader(small).read()).toHaveLength(2);
  });

  it('says so where its file is not beside the package', async () => {
    const lost = new PdfWorkerPool({ workerUrl: new URL('./no-such-worker.js', import.meta.url) });
    const error = await failure(reader(small, { worker: lost }).read());
    expect([error.code, error.subject]).toEqual(['invalid_state', 'worker']);
    expect(error.message).toContain('worker: false');
  });
});

describe('a pool', () => {
  it('refuses what is no number of threads', () => {
    expect(() => new PdfWorkerPool({ maxIdle: -1 })).toThrow(expect.objectContaining({ subject: 'maxIdle' }));
  });

  it('can be closed while it reads, and read with afterwards', async () => {
    const own = new PdfWorkerPool({ maxIdle: 1 });
    const stream = reader(small, { worker: own }).stream();
    expect((await stream.next()).value?.text).toBe('one');
    await own.close();
    expect((await stream.next()).value?.text).toBe('two');
    expect((await stream.next()).done).toBe(true);
    expect(await reader(small, { worker: own }).read()).toHaveLength(2);
    await own[Symbol.asyncDispose]();
  });
});

describe('a process', () => {
  const source = (name: string): string => fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url));
  let folder: string;
  beforeAll(async () => {
    // Beside the package's dependencies, which the bundle leaves out.
    folder = await mkdtemp(fileURLToPath(new URL('../node_modules/.vernal-process-', import.meta.url)));
    const bundle = await rolldown({
      input: { index: source('index'), worker: source('worker') },
      platform: 'node',
      resolve: { conditionNames: ['@vernal/source', 'node', 'import', 'default'] },
      external: (imported) => !/^(?:[./]|@vernal\/|[A-Za-z]:)/.test(imported),
    });
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
    await bundle.close();
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'large.pdf'), large);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    [
      'leaves a stream without a word',
      'const stream = reader().stream(); console.log((await stream.next()).value.text.slice(0, 6));',
      'Line 0',
    ],
    [
      'keeps a pool open',
      'const pool = new PdfWorkerPool(); console.log((await reader({ worker: pool }).read()).length);',
      '500',
    ],
    ['waits for a reading', 'reader().read().then((all) => console.log(all.length));', '500'],
    [
      'breaks off',
      'for await (const { text } of reader().stream()) { console.log(text.slice(0, 6)); break; }',
      'Line 0',
    ],
    [
      'reads by itself keeps its built-ins, and nothing else is written,',
      `const names = ['self', 'DOMMatrix', 'Path2D', 'navigator'].map((name) => name in globalThis);
      await reader({ worker: false, pageRanges: [{ start: 1, end: 1 }] }).read();
      const after = ['self', 'DOMMatrix', 'Path2D', 'navigator'].map((name) => name in globalThis);
      const builtIns = [[].push, JSON.parse, JSON.stringify, Function.prototype.toString];
      console.log(builtIns.every((one) => /native code/.test(one.toString())) && String(names) === String(after));`,
      'true',
    ],
  ])('that %s ends by itself', async (_, code, prints) => {
    const script = `
      import { readFile } from 'node:fs/promises';
      import { PagePdfDocumentReader, PdfWorkerPool } from './index.js';
      const resource = { bytes: () => readFile('large.pdf') };
      const reader = (options) => new PagePdfDocumentReader(resource, options);
      ${code}`;
    await writeFile(join(folder, 'main.js'), script);
    const child = spawn(process.execPath, ['main.js'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const output of [child.stdout, child.stderr]) {
      output.on('data', (data: Buffer) => {
        printed += data.toString();
      });
    }
    const [status] = await once(child, 'close');
    expect([status, printed.trim()]).toEqual([0, prints]);
  });
});
