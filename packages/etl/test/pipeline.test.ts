import {
  bytesResource,
  type Document,
  type Documents,
  type DocumentWriter,
  document,
  VernalError,
  type WritableResource,
} from '@vernal/core';
import { etl, ResourceDocumentWriter, TextReader, TokenTextSplitter, type WriteProgress } from '@vernal/etl';
import { describe, expect, it } from 'vitest';

interface Source extends AsyncIterable<Document> {
  readonly seen: { taken: number; closed: number };
}

function source(count: number): Source {
  const seen = { taken: 0, closed: 0 };
  return {
    seen,
    async *[Symbol.asyncIterator]() {
      try {
        while (seen.taken < count) yield document({ id: String(seen.taken++), text: 'x' });
      } finally {
        seen.closed++;
      }
    },
  };
}

class Collector implements DocumentWriter {
  readonly batches: string[][] = [];
  async write(documents: Documents): Promise<void> {
    const ids: string[] = [];
    for await (const entry of documents) ids.push(entry.id);
    this.batches.push(ids);
  }
}

/** Writes that stay open until they are let go. */
function gate(): DocumentWriter & { readonly open: (() => void)[] } {
  const open: (() => void)[] = [];
  return {
    open,
    write: () => new Promise<void>((resolve) => open.push(resolve)),
  };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};
const failure = async (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => expect.unreachable(),
    (caught: unknown) => caught,
  );

describe('etl', () => {
  it('reads, transforms and writes in order', async () => {
    const store = new Collector();
    const reader = new TextReader(bytesResource('One sentence. '.repeat(300), { filename: 'a.txt' }));
    const done = await etl(reader)
      .transform(new TokenTextSplitter({ chunkSize: 100 }))
      .write(store, { batchSize: 3 });
    expect(done.read).toBe(1);
    expect(done.written).toBe(store.batches.flat().length);
    expect(store.batches.map((batch) => batch.length)).toEqual([3, 3, 3, 1].slice(0, store.batches.length));
    expect(new Set(store.batches.flat()).size).toBe(done.written);
  });

  it('takes functions, arrays and iterables', async () => {
    const found: (string | undefined)[] = [];
    const upper = async function* (documents: AsyncIterable<Document>) {
      for await (const entry of documents) yield document({ ...entry, text: entry.text?.toUpperCase() });
    };
    for (const input of [
      [document('a')],
      new Set([document('a')]),
      { stream: () => source(0), read: async () => [] },
    ]) {
      for await (const entry of etl(input).transform(upper)) found.push(entry.text);
    }
    expect(found).toEqual(['A', 'A']);
  });

  it('is lazy, and a step does not change the pipeline it is called on', async () => {
    const from = source(3);
    const plain = etl(from);
    plain.transform(async function* () {
      yield document('never');
    });
    expect(from.seen.taken).toBe(0);
    const ids: string[] = [];
    for await (const entry of plain) ids.push(entry.id);
    expect(ids).toEqual(['0', '1', '2']);
  });

  it('can be run again', async () => {
    const pipeline = etl(new TextReader(bytesResource('again')));
    const [first, second] = [new Collector(), new Collector()];
    await pipeline.write(first);
    await pipeline.write(second);
    expect(first.batches).toEqual(second.batches);
  });

  it('closes the source when the loop is left', async () => {
    const from = source(100);
    for await (const entry of etl(from).transform(new TokenTextSplitter())) {
      expect(entry.text).toBe('x');
      break;
    }
    expect(from.seen).toEqual({ taken: 1, closed: 1 });
  });

  it('reads no further than the writer follows', async () => {
    const from = source(100);
    const writer = gate();
    const run = etl(from).write(writer, { batchSize: 5, concurrency: 2 });
    await settle();
    expect(writer.open.length).toBe(2);
    expect(from.seen.taken).toBeLessThanOrEqual(15);
    for (let batch = 0; batch < 20; batch++) {
      await settle();
      writer.open[batch]?.();
    }
    expect(await run).toEqual({ read: 100, written: 100 });
  });

  it('reports progress after each batch that landed', async () => {
    const progress: WriteProgress[] = [];
    await etl(source(5)).write(new Collector(), { batchSize: 2, onProgress: (now) => progress.push(now) });
    expect(progress.map(({ written }) => written)).toEqual([2, 4, 5]);
    for (const { read, written } of progress) expect(read).toBeGreaterThanOrEqual(written);
    expect(progress.at(-1)).toEqual({ read: 5, written: 5 });
  });

  it('writes nothing of an empty source', async () => {
    const store = new Collector();
    expect(await etl([]).write(store)).toEqual({ read: 0, written: 0 });
    expect(store.batches).toEqual([]);
  });

  it('stops at the first batch that fails, waits for the others, closes the source', async () => {
    const from = source(1_000);
    const wrong = new Error('disk full');
    const landed: number[] = [];
    let batches = 0;
    const writer: DocumentWriter = {
      async write() {
        const batch = batches++;
        await settle();
        if (batch === 1) throw wrong;
        landed.push(batch);
      },
    };
    expect(await failure(etl(from).write(writer, { batchSize: 1, concurrency: 3 }))).toBe(wrong);
    expect(from.seen.closed).toBe(1);
    expect(from.seen.taken).toBeLessThan(10);
    expect(landed).toContain(0);
    expect(landed.length).toBe(batches - 1);
  });

  it('passes on what source and transformers throw', async () => {
    const wrong = new Error('no network');
    const broken = async function* (documents: AsyncIterable<Document>) {
      yield* documents;
      throw wrong;
    };
    const store = new Collector();
    expect(await failure(etl(source(3)).transform(broken).write(store, { batchSize: 2 }))).toBe(wrong);
    expect(store.batches).toEqual([['0', '1']]);
  });

  it('rejects at once when it is aborted, even if the source hangs', async () => {
    const controller = new AbortController();
    const hanging: AsyncIterable<Document> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<Document>>(() => {}) }),
    };
    const run = etl(hanging).write(new Collector(), { signal: controller.signal });
    await settle();
    controller.abort();
    const error = await failure(run);
    expect(VernalError.is(error) && error.code).toBe('aborted');
  });

  it('rejects at once when it is aborted while the writer hangs', async () => {
    const controller = new AbortController();
    const from = source(10);
    const run = etl(from).write(gate(), { signal: controller.signal, batchSize: 1 });
    await settle();
    controller.abort(new DOMException('too late', 'TimeoutError'));
    const error = await failure(run);
    expect(VernalError.is(error) && error.code).toBe('timeout');
    await settle();
    expect(from.seen.closed).toBe(1);
  });

  it('opens nothing when it is aborted before', async () => {
    const from = source(10);
    await failure(etl(from).write(new Collector(), { signal: AbortSignal.abort() }));
    expect(from.seen.taken).toBe(0);
  });

  it('leaves no listener on a signal that lives on', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    await etl(source(20)).write(new Collector(), { signal, batchSize: 2, concurrency: 3 });
    await settle();
    expect(listeners).toBe(0);
  });

  it.each([
    ['concurrency', { concurrency: 0 }],
    ['batchSize', { batchSize: 2.5 }],
  ])('refuses a bad %s', async (subject, options) => {
    expect(await failure(etl([]).write(new Collector(), options))).toMatchObject({ code: 'invalid_argument', subject });
  });

  it('refuses what is no source or transformer', () => {
    expect(() => etl(3 as unknown as Documents)).toThrow(expect.objectContaining({ subject: 'source' }));
    expect(() => etl([]).transform({} as unknown as TokenTextSplitter)).toThrow(
      expect.objectContaining({ subject: 'transformer' }),
    );
  });
});

/** Memory that behaves as a file does. */
function memory(initial?: string): WritableResource & { text(): string | undefined } {
  let content = initial;
  return {
    async bytes() {
      if (content === undefined)
        throw new VernalError('nothing there', { code: 'resource', details: { reason: 'not_found' } });
      return new TextEncoder().encode(content);
    },
    async write(bytes) {
      const decoder = new TextDecoder();
      let next = '';
      if (bytes instanceof Uint8Array) next = decoder.decode(bytes);
      else for await (const chunk of bytes) next += decoder.decode(chunk);
      content = next;
    },
    text: () => content,
  };
}

describe('ResourceDocumentWriter', () => {
  const documents = [document('one', { page_number: 1, end_page_number: 2 }), document('two', { k: 'v' })];

  it('writes the texts, an empty line between them', async () => {
    const target = memory('old');
    await new ResourceDocumentWriter(target).write(documents);
    expect(target.text()).toBe('one\n\ntwo\n');
  });

  it('marks documents and their pages', async () => {
    const target = memory();
    await new ResourceDocumentWriter(target, { markers: true, metadataMode: 'all' }).write(documents.slice(0, 1));
    expect(target.text()).toBe('### Doc: 0, pages:[1,2]\npage_number: 1\nend_page_number: 2\n\none\n');
    await new ResourceDocumentWriter(target, { markers: true }).write([document('x')]);
    expect(target.text()).toBe('### Doc: 0, pages:[null,null]\nx\n');
  });

  it('appends to what is there, or begins', async () => {
    const target = memory();
    const writer = new ResourceDocumentWriter(target, { append: true });
    await writer.write(documents.slice(0, 1));
    await writer.write(documents.slice(1));
    expect(target.text()).toBe('one\n\ntwo\n');
  });

  it('gets all documents of a pipeline at once', async () => {
    const target = memory();
    expect(await etl(source(250)).write(new ResourceDocumentWriter(target), { batchSize: 100 })).toEqual({
      read: 250,
      written: 250,
    });
    expect(target.text()?.match(/x/g)).toHaveLength(250);
  });

  it('leaves the target as it was when the documents fail', async () => {
    const target = memory('old');
    const failing = (async function* () {
      yield document('new');
      throw new Error('source failed');
    })();
    await expect(new ResourceDocumentWriter(target).write(failing)).rejects.toThrow('source failed');
    expect(target.text()).toBe('old');
  });

  it('refuses what cannot be written to', () => {
    expect(() => new ResourceDocumentWriter(bytesResource('x') as WritableResource)).toThrow(
      expect.objectContaining({ subject: 'target' }),
    );
  });
});
