import type { Document, IngestLedger } from '@vernal/core';
import { bytesResource, document, VernalError } from '@vernal/core';
import type { IngestEvent, IngestOptions, IngestSource, IngestTarget } from '@vernal/etl';
import { ingest, MemoryIngestLedger, removeSources, resourceSource, TextReader } from '@vernal/etl';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryTarget } from './memory-target.js';

/** A source whose passages are the words of a text. */
function source(id: string, text: string, version = text): IngestSource {
  return {
    id,
    version: () => version,
    reader: {
      async *stream() {
        for (const word of text.split(' ')) if (word !== '') yield document({ text: word, metadata: { source: id } });
      },
    },
  };
}

const sourcesOf = (corpus: Readonly<Record<string, string>>): IngestSource[] =>
  Object.entries(corpus).map(([id, text]) => source(id, text));

const corpusText = (corpus: Readonly<Record<string, string>>): string[] =>
  Object.entries(corpus)
    .flatMap(([id, text]) => text.split(' ').flatMap((word) => (word === '' ? [] : `${id}:${word}`)))
    .sort();

describe('ingest', () => {
  const setup = (options: Partial<IngestOptions> = {}) => {
    const target = new MemoryTarget();
    const ledger = new MemoryIngestLedger();
    const run = (corpus: Readonly<Record<string, string>>, more: Partial<IngestOptions> = {}) =>
      ingest(sourcesOf(corpus), { ledger, target, batchSize: 2, ...options, ...more });
    return { target, ledger, run };
  };

  it('writes what is new, then only what changed, and leaves the rest unread', async () => {
    const { target, run } = setup();
    expect(await run({ a: 'one two three', b: 'four' })).toMatchObject({ added: 2, written: 4, failed: [] });
    expect(target.texts()).toEqual(['a:one', 'a:three', 'a:two', 'b:four']);
    target.calls.length = 0;
    expect(await run({ a: 'one two three', b: 'four five' })).toMatchObject({
      changed: 1,
      unchanged: 1,
      written: 2,
      deleted: 1,
    });
    expect(target.texts()).toEqual(['a:one', 'a:three', 'a:two', 'b:five', 'b:four']);
    expect(target.calls).toEqual(['write b:four b:five', 'delete 1']);
  });

  it('deletes what is gone when it is told to, and only then', async () => {
    const { target, ledger, run } = setup();
    await run({ a: 'one two', b: 'three' });
    expect(await run({ a: 'one two' })).toMatchObject({ unchanged: 1, removed: 0 });
    expect(target.texts()).toHaveLength(3);
    expect(await run({ a: 'one two' }, { removeMissing: true })).toMatchObject({ removed: 1 });
    expect(target.texts()).toEqual(['a:one', 'a:two']);
    expect(await ledger.sources()).toEqual(['a']);
  });

  it('takes out sources that are named', async () => {
    const { target, ledger, run } = setup();
    await run({ a: 'one two', b: 'three', c: 'four' });
    expect(await removeSources(['a', 'nobody', 'c'], { ledger, target })).toMatchObject({
      removed: 2,
      deleted: 3,
      failed: [],
    });
    expect(target.texts()).toEqual(['b:three']);
    expect(await ledger.sources()).toEqual(['b']);
  });

  it('takes no empty list for an order to delete all', async () => {
    const { target, run } = setup({ removeMissing: true });
    await run({ a: 'one' });
    await expect(run({})).rejects.toMatchObject({ code: 'invalid_argument', subject: 'sources' });
    expect(target.texts()).toEqual(['a:one']);
    expect(await run({}, { allowEmpty: true })).toMatchObject({ removed: 1 });
    expect(target.texts()).toEqual([]);
  });

  it('takes nothing for missing when listing fails', async () => {
    const { target, ledger, run } = setup();
    await run({ a: 'one', b: 'two' });
    async function* broken() {
      yield source('a', 'one');
      throw new Error('The folder went away');
    }
    await expect(ingest(broken(), { ledger, target, removeMissing: true })).rejects.toThrow('The folder went away');
    expect(target.texts()).toEqual(['a:one', 'b:two']);
  });

  it('makes everything anew when the version of the pipeline is another one', async () => {
    const { target, run } = setup({ version: 'words' });
    await run({ a: 'one' });
    const before = [...target.held.keys()];
    expect(await run({ a: 'one' }, { version: 'sentences' })).toMatchObject({ changed: 1, written: 1, deleted: 1 });
    expect(target.texts()).toEqual(['a:one']);
    expect([...target.held.keys()]).not.toEqual(before);
  });

  it('keeps what the store has of a source that fails, and goes on with the others', async () => {
    const { target, ledger } = setup();
    await ingest([source('a', 'one two'), source('b', 'three')], { ledger, target });
    const broken: IngestSource = { ...source('a', '', 'new'), reader: { stream: () => failing() } };
    const events: IngestEvent[] = [];
    const report = await ingest([broken, source('b', 'four')], {
      ledger,
      target,
      batchSize: 1,
      onProgress: (event) => events.push(event),
    });
    expect(report).toMatchObject({
      changed: 1,
      failed: [{ source: 'a', error: expect.objectContaining({ message: 'torn page' }) }],
    });
    expect(target.texts()).toEqual(expect.arrayContaining(['a:one', 'a:two', 'b:four']));
    expect(events.filter(({ type }) => type === 'source')).toHaveLength(2);
    expect(await ingest([source('a', 'one two'), source('b', 'four')], { ledger, target })).toMatchObject({
      unchanged: 2,
    });
    expect(target.texts()).toEqual(['a:one', 'a:two', 'b:four']);
  });

  it('ends with the first failure when it is told to', async () => {
    const { target, ledger } = setup();
    const broken: IngestSource = { ...source('a', ''), reader: { stream: () => failing() } };
    await expect(
      ingest([broken, source('b', 'x')], { ledger, target, onError: 'throw', concurrency: 1 }),
    ).rejects.toThrow('torn page');
    expect(target.texts()).not.toContain('b:x');
  });

  it('tries again what may pass', async () => {
    const { target, ledger } = setup();
    target.failures.push(Object.assign(new Error('busy'), { status: 503 }));
    const retry = { maxAttempts: 2, initialDelayMs: 1 };
    expect(await ingest([source('a', 'one')], { ledger, target, retry })).toMatchObject({ added: 1, written: 1 });
    expect(target.texts()).toEqual(['a:one']);
  });

  it('runs enrichers for what is written and for nothing else', async () => {
    const { target, ledger } = setup();
    let asked = 0;
    async function* enrich(documents: AsyncIterable<Document>) {
      for await (const one of documents) {
        asked++;
        yield { ...one, metadata: { ...one.metadata, seen: asked } };
      }
    }
    const options = { ledger, target, enrich, batchSize: 2 };
    target.failAt = 2;
    expect(await ingest([source('a', '1 2 3 4 5')], options)).toMatchObject({ written: 2, failed: [{ source: 'a' }] });
    expect(await ingest([source('a', '1 2 3 4 5')], options)).toMatchObject({ written: 3, resumed: 2, added: 1 });
    // Once more for the batch that failed.
    expect(asked).toBe(7);
    expect(target.texts()).toEqual(['a:1', 'a:2', 'a:3', 'a:4', 'a:5']);
  });

  it('takes a concurrency far above the number of sources', async () => {
    const { target, run } = setup();
    expect(await run({ a: '1', b: '2' }, { concurrency: 1e9 })).toMatchObject({ added: 2 });
    expect(target.texts()).toEqual(['a:1', 'b:2']);
  });

  it('refuses two sources of one id', async () => {
    const { target, ledger } = setup();
    const report = await ingest([source('a', 'one'), source('a', 'two')], { ledger, target, concurrency: 1 });
    expect(report).toMatchObject({
      added: 1,
      failed: [{ source: 'a', error: expect.objectContaining({ code: 'invalid_argument' }) }],
    });
  });

  it('ends at once by its signal, even if nobody heeds it, and can be taken up again', async () => {
    const { target, ledger } = setup();
    const leaving = new AbortController();
    const hanging: IngestSource = {
      ...source('a', 'one two three', 'v'),
      reader: {
        async *stream() {
          yield document('one');
          yield document('two');
          leaving.abort();
          await new Promise(() => {});
        },
      },
    };
    await expect(ingest([hanging], { ledger, target, batchSize: 1, signal: leaving.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(await ingest([source('a', 'one two three', 'v')], { ledger, target })).toMatchObject({ added: 1 });
    expect(target.held.size).toBe(3);
  });

  it('closes the source that it is reading when it ends', async () => {
    const { target, ledger } = setup();
    let closed = 0;
    const open: IngestSource = {
      ...source('a', ''),
      reader: {
        async *stream() {
          try {
            for (;;) yield document('again');
          } finally {
            closed++;
          }
        },
      },
    };
    target.failAt = 3;
    await ingest([open], { ledger, target, batchSize: 1 });
    expect(closed).toBe(1);
  });

  it('reads while it writes, and never more batches at a time than it may', async () => {
    const { target, ledger } = setup();
    target.isSlow = true;
    const text = Array.from({ length: 40 }, (_, i) => `w${i}`).join(' ');
    await ingest([source('a', text)], { ledger, target, batchSize: 2, writeConcurrency: 3 });
    expect(target.held.size).toBe(40);
    expect(target.mostAtOnce).toBe(3);
  });

  it('ends with what onProgress throws', async () => {
    const { target, ledger } = setup();
    const onProgress = (): void => {
      throw new Error('full screen');
    };
    await expect(ingest([source('a', 'one')], { ledger, target, onProgress })).rejects.toThrow('full screen');
  });

  it('refuses what cannot work', async () => {
    const { target, ledger } = setup();
    const bad: Partial<IngestOptions>[] = [
      { ledger: {} as IngestLedger },
      { target: { write: async () => {} } as never },
      { target: Object.assign(new MemoryTarget(), { takesWholeStream: true as const }) },
      { batchSize: 0 },
      { concurrency: 1.5 },
      { transform: {} as never },
    ];
    for (const options of bad)
      await expect(ingest([], { ledger, target, ...options })).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(ingest([{ id: '' } as never], { ledger, target })).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('knows a resource by its bytes', async () => {
    const { target, ledger } = setup();
    const of = (text: string) => {
      const resource = bytesResource(text, { filename: 'a.txt' });
      return resourceSource(resource, new TextReader(resource));
    };
    expect(await ingest([of('one')], { ledger, target })).toMatchObject({ added: 1 });
    expect(await ingest([of('one')], { ledger, target })).toMatchObject({ unchanged: 1 });
    expect(await ingest([of('two')], { ledger, target })).toMatchObject({ changed: 1 });
    expect([...target.held.values()].map(({ text }) => text)).toEqual(['two']);
    expect(() => resourceSource(bytesResource('x'), new TextReader(bytesResource('x')))).toThrow(/name the source/);
  });

  it('whatever breaks wherever: the next run ends as if nothing had', async () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 9 }).map((words) => words.join(' '));
    const corpora = fc.dictionary(fc.constantFrom('x', 'y', 'z'), text, { maxKeys: 3 });
    const runs = fc.array(
      fc.record({ corpus: corpora, breaksAt: fc.integer({ min: 1, max: 40 }), loses: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    const settings = fc.record({
      batchSize: fc.integer({ min: 1, max: 3 }),
      writeConcurrency: fc.integer({ min: 1, max: 3 }),
      flushes: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(runs, corpora, settings, async (broken, last, { flushes, ...options }) => {
        const target = new MemoryTarget();
        const ledger = new MemoryIngestLedger();
        const flush = flushes ? { flush: async () => target.save(), flushEvery: 3 } : {};
        const all = { target, removeMissing: true, allowEmpty: true, retry: { maxAttempts: 1 }, ...options, ...flush };
        for (const { corpus, breaksAt } of broken) {
          // From here on nothing works any more, as after a kill: neither the store nor the ledger.
          const life = { left: breaksAt };
          target.life = life;
          await ingest(sourcesOf(corpus), { ...all, ledger: mortal(ledger, life) }).catch(() => {});
          target.life = undefined;
          if (flushes) target.restore();
        }
        const { failed } = await ingest(sourcesOf(last), { ...all, ledger });
        expect(failed).toEqual([]);
        expect(target.texts()).toEqual(corpusText(last));
        expect([...(await ledger.sources())]).toEqual(Object.keys(last).sort());
        expect(await ingest(sourcesOf(last), { ...all, ledger })).toMatchObject({ written: 0, deleted: 0 });
      }),
      { numRuns: 100 },
    );
  });

  it('deletes what an interrupted run wrote beyond the end of a source that gives less this time', async () => {
    const { target, ledger } = setup();
    target.failAt = 4;
    await ingest([source('a', '1 2 3 4', 'v')], { ledger, target, batchSize: 1 });
    expect(target.held.size).toBe(3);
    await ingest([source('a', '1', 'v')], { ledger, target });
    expect(target.texts()).toEqual(['a:1']);
  });

  it('takes back what it wrote when somebody else ingested another version meanwhile', async () => {
    const { target, ledger } = setup();
    let overtaken: Promise<unknown> | undefined;
    const slow = {
      write: async (documents: Iterable<Document>) => {
        overtaken ??= ingest([source('a', '5 6', 'v2')], { ledger, target });
        await overtaken;
        await target.write(documents);
      },
      delete: (ids: readonly string[]) => target.delete(ids),
    } as unknown as IngestTarget;
    const { failed } = await ingest([source('a', '1 2 3', 'v1')], { ledger, target: slow, batchSize: 2 });
    expect(failed).toMatchObject([{ source: 'a', error: { code: 'ingest_conflict' } }]);
    expect(target.texts()).toEqual(['a:5', 'a:6']);
  });

  it.each(['ingests another version', 'is told that the source is gone'])(
    'says so and has it written again when the version that it deletes has come back meanwhile: one that %s',
    async (what) => {
      const { target, ledger } = setup();
      await ingest([source('a', '1 2 3', 'v1')], { ledger, target });
      let overtaken: Promise<unknown> | undefined;
      const slow = {
        write: (documents: Iterable<Document>) => target.write(documents),
        delete: async (ids: readonly string[]) => {
          overtaken ??= ingest([source('a', '1 2 3', 'v1')], { ledger, target });
          await overtaken;
          await target.delete(ids);
        },
      } as unknown as IngestTarget;
      const options = { ledger, target: slow };
      const run = what.startsWith('ingests')
        ? ingest([source('a', '5 6', 'v2')], options)
        : removeSources(['a'], options);
      expect((await run).failed).toMatchObject([{ source: 'a', error: { code: 'ingest_conflict' } }]);
      expect((await ingest([source('a', '1 2 3', 'v1')], { ledger, target })).failed).toEqual([]);
      expect(target.texts()).toEqual(['a:1', 'a:2', 'a:3']);
    },
  );

  it.each([
    ['of the store', new Error('no room'), { message: 'no room' }],
    ['that somebody else was quicker', undefined, { code: 'ingest_conflict' }],
  ])('tells the error %s, also when the source is waited for meanwhile', async (_, failure, told) => {
    const { target, ledger } = setup();
    const slow: IngestSource = {
      id: 'a',
      version: () => 'v1',
      reader: {
        async *stream() {
          yield document('1');
          await new Promise(() => {});
        },
      },
    };
    const failing = {
      write: async (documents: Iterable<Document>) => {
        if (failure !== undefined) throw failure;
        await ingest([source('a', '5 6', 'v2')], { ledger, target });
        await target.write(documents);
        throw new VernalError('x', { code: 'ingest_conflict' });
      },
      delete: (ids: readonly string[]) => target.delete(ids),
    } as unknown as IngestTarget;
    const { failed } = await ingest([slow], { ledger, target: failing, batchSize: 1, retry: { maxAttempts: 1 } });
    expect(failed).toMatchObject([{ source: 'a', error: told }]);
    expect(target.texts()).toEqual(failure === undefined ? ['a:5', 'a:6'] : []);
  });

  it('takes back what landed late, behind the deletes of one who takes the source out', async () => {
    const { target, ledger } = setup();
    const [writing, written, deleted] = [newGate(), newGate(), newGate()];
    const late = {
      write: async (documents: Iterable<Document>) => {
        writing.resolve();
        await deleted.promise;
        await target.write(documents);
      },
      delete: (ids: readonly string[]) => target.delete(ids),
    } as unknown as IngestTarget;
    const ingesting = ingest([source('a', '1 2', 'v1')], { ledger, target: late }).finally(() => written.resolve());
    await writing.promise;
    const leisurely = Object.assign(Object.create(ledger) as IngestLedger, {
      get: ledger.get.bind(ledger),
      put: ledger.put.bind(ledger),
      delete: async (...given: Parameters<IngestLedger['delete']>) => {
        deleted.resolve();
        await written.promise;
        return ledger.delete(...given);
      },
    });
    expect((await removeSources(['a'], { ledger: leisurely, target })).removed).toBe(1);
    expect((await ingesting).failed).toMatchObject([{ error: { code: 'ingest_conflict' } }]);
    expect(target.texts()).toEqual([]);
  });

  it.each([1, 2])(
    'ends with the error of a flush, the %d. one, and the next run does what was not noted',
    async (bad) => {
      const { target, ledger } = setup();
      let flushes = 0;
      const flush = async (): Promise<void> => {
        if (++flushes === bad) throw new Error('disk full');
        target.save();
      };
      const sources = [source('a', '1'), source('b', '2'), source('c', '3')];
      const options = { ledger, target, batchSize: 1, flushEvery: 2, concurrency: 2 };
      const events: IngestEvent[] = [];
      const run = ingest(sources, { ...options, flush, onProgress: (event) => void events.push(event) });
      await expect(run).rejects.toThrow('disk full');
      const settled = events.flatMap((event) => (event.type === 'source' ? [event.source] : []));
      expect(new Set(settled).size).toBe(settled.length);
      target.restore();
      const { added, unchanged, failed } = await ingest(sources, { ...options, flush });
      expect([added + unchanged, failed]).toEqual([3, []]);
      expect(added).toBe(3 - settled.length);
      expect(target.texts()).toEqual(['a:1', 'b:2', 'c:3']);
    },
  );

  it('does not write what an enricher gave another id: nobody could delete it', async () => {
    const { target, ledger } = setup();
    const enrich = async function* (documents: AsyncIterable<Document>) {
      for await (const one of documents) yield { ...one, id: `new ${one.text}` };
    };
    const { failed } = await ingest([source('a', '1 2')], { ledger, target, enrich: enrich as never });
    expect(failed).toMatchObject([{ source: 'a', error: { code: 'invalid_state', subject: 'enrich' } }]);
    expect(target.texts()).toEqual([]);
  });

  it('two at the same time: one of them may be told so, and the store is right after the next run', async () => {
    const { target, ledger } = setup();
    const slow = { ledger, target, batchSize: 1, removeMissing: true };
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        target.scheduler = scheduler;
        const runs = [
          ingest([source('a', '1 2 3 4', 'v1')], slow),
          ingest([source('a', '5 6 7', 'v2')], slow),
          ingest([source('a', '1 2 3 4', 'v1')], slow),
        ];
        await scheduler.waitFor(Promise.all(runs));
        for (const { failed } of await Promise.all(runs))
          for (const { error } of failed) expect(error).toMatchObject({ code: 'ingest_conflict' });
        target.scheduler = undefined;
        await ingest([source('a', 'x y', 'v3')], slow);
        expect(target.texts()).toEqual(['a:x', 'a:y']);
      }),
      { numRuns: 100 },
    );
  });
});

async function* failing(): AsyncGenerator<Document> {
  yield document('a beginning');
  throw new Error('torn page');
}

/** A ledger whose process dies after so many calls. */
function mortal(ledger: IngestLedger, life: { left: number }): IngestLedger {
  const living = async <T>(work: () => Promise<T>): Promise<T> => {
    if (life.left-- <= 0) throw new Error('killed');
    return work();
  };
  return {
    scope: ledger.scope,
    get: (...given) => living(() => ledger.get(...given)),
    put: (...given) => living(() => ledger.put(...given)),
    delete: (...given) => living(() => ledger.delete(...given)),
    sources: (...given) => living(() => ledger.sources(...given)),
    close: () => ledger.close(),
    [Symbol.asyncDispose]: () => ledger.close(),
  };
}

function newGate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
