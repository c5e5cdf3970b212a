import type { Document, Resource } from '@vernal/core';
import { bytesResource, document, media } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import type { SimpleVectorStoreOptions, VectorMetric } from '@vernal/vector-store';
import { SimpleVectorStore } from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryResource } from './memory-resource.js';
import { numberDocumentModel, numberEmbeddingModel } from './number-embedding-model.js';

const numbers = (options: Partial<SimpleVectorStoreOptions> = {}): SimpleVectorStore =>
  new SimpleVectorStore({ embeddingModel: numberEmbeddingModel(), ...options });

const texts = (count: number, length = 0): Document[] =>
  Array.from({ length: count }, (_, i) =>
    document({ id: `d${i}`, text: `${i + 1} 1`, metadata: { i, pad: 'x'.repeat(length) } }),
  );

async function saved(store: SimpleVectorStore): Promise<Uint8Array> {
  const resource = new MemoryResource();
  await store.save(resource);
  return resource.content;
}

const everything = (store: SimpleVectorStore): Promise<Document[]> =>
  store.similaritySearch({ query: '', vector: Float32Array.of(1, 2), topK: 10_000 });

describe('save and load', () => {
  it('bring everything back, in chunks of any size', async () => {
    const rich: Document[] = [
      document({
        id: 'ünï/😀',
        text: 'zeile\u0000\n"quotes" 名前',
        metadata: {
          nested: { list: [1, null, true, 'x'], deep: { n: -0.5 } },
          empty: {},
          big: 2 ** 60,
          '': 'blank key',
        },
        format: { metadataTemplate: '{key}={value}', excludedEmbedMetadataKeys: ['big'] },
      }),
      document({ id: 'empty', text: '' }),
      document('plain'),
    ];
    const embeddingModel = hashingEmbeddingModel({ dimensions: 7 });
    const store = new SimpleVectorStore({ embeddingModel });
    await store.add(rich);
    const content = await saved(store);
    const search = (from: SimpleVectorStore) => from.similaritySearch({ query: 'plain 名前', topK: 10 });
    const expected = await search(store);
    expect(expected).toHaveLength(3);
    for (const chunk of [1, 3, 16, 1 << 16]) {
      const loaded = new SimpleVectorStore({ embeddingModel });
      await loaded.load(new MemoryResource(content, chunk));
      expect(loaded.size).toBe(3);
      expect(await search(loaded)).toEqual(expected);
    }
    const fromBytes = new SimpleVectorStore({ embeddingModel });
    await fromBytes.load(bytesResource(content));
    expect(await search(fromBytes)).toEqual(expected);
    // Saving what was loaded changes no byte.
    expect(await saved(fromBytes)).toEqual(content);
  });

  it('keep media', async () => {
    const store = new SimpleVectorStore({ embeddingModel: numberDocumentModel() });
    const bytes = document({ id: 'b', media: media('image/png', Uint8Array.of(0, 255, 7), { id: 'm', name: 'pic' }) });
    const url = document({ id: 'u', media: media('image/jpeg', 'https://example.com/a.jpg', { name: 'far' }) });
    await store.add([bytes, url]);
    const loaded = new SimpleVectorStore({ embeddingModel: numberDocumentModel() });
    await loaded.load(new MemoryResource(await saved(store)));
    const found = new Map((await everything(loaded)).map((each) => [each.id, each.media]));
    expect(found.get('b')).toEqual({ ...bytes.media, source: { type: 'base64', base64: 'AP8H' } });
    expect(found.get('u')).toEqual(url.media);
  });

  it('work for any content and metric', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<VectorMetric>('cosine', 'dot', 'euclidean'),
        fc.uniqueArray(
          fc.record({
            id: fc.string({ unit: 'binary', minLength: 1 }).filter((id) => id.trim() !== ''),
            x: fc.integer({ min: -1000, max: 1000 }),
            metadata: fc.dictionary(
              fc.string(),
              fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.constant(null)),
            ),
          }),
          { selector: ({ id }) => id, maxLength: 8 },
        ),
        async (metric, entries) => {
          const store = numbers({ metric });
          await store.add(entries.map(({ id, x, metadata }) => document({ id, text: `${x} 1`, metadata })));
          const loaded = numbers({ metric });
          await loaded.load(new MemoryResource(await saved(store), 11));
          expect(await everything(loaded)).toEqual(await everything(store));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('replace what was there, also by nothing', async () => {
    const empty = await saved(numbers());
    const store = numbers();
    await store.add(texts(3));
    await store.load(new MemoryResource(empty));
    expect(store.size).toBe(0);
    expect(await everything(store)).toEqual([]);
    await store.add(texts(1));
    expect(store.size).toBe(1);
  });

  it('write a snapshot while the store goes on', async () => {
    for (const metric of ['cosine', 'euclidean'] as const) {
      const store = numbers({ metric });
      await store.add(texts(300, 3_000));
      const before = await everything(store);
      const resource = new MemoryResource();
      resource.onChunk = async (index) => {
        if (index !== 0) return;
        await store.add([document({ id: 'd299', text: '-5 1' }), document({ id: 'new', text: '9 9' })]);
        await store.delete(['d0', 'd150']);
        await store.add(texts(200).map((each) => ({ ...each, id: `later-${each.id}` })));
      };
      await store.save(resource);
      expect(resource.chunks).toBeGreaterThan(2);
      const loaded = numbers({ metric });
      await loaded.load(resource);
      expect(await everything(loaded)).toEqual(before);
      expect(store.size).toBe(300 + 1 - 2 + 200);
      expect((await everything(store)).map(({ id }) => id)).toContain('new');
      // The next snapshot holds what the first did not.
      await loaded.load(new MemoryResource(await saved(store)));
      expect(await everything(loaded)).toEqual(await everything(store));
    }
  });

  it('stop when the signal fires', async () => {
    const store = numbers();
    await store.add(texts(300, 3_000));
    const controller = new AbortController();
    const resource = new MemoryResource();
    resource.onChunk = () => controller.abort();
    await expect(store.save(resource, { signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' });
    expect(resource.content).toHaveLength(0);
    const content = new MemoryResource(await saved(store));
    await expect(store.load(content, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    expect(store.size).toBe(300);
  });

  it('are refused once the store is closed', async () => {
    const store = numbers();
    const content = new MemoryResource(await saved(store));
    await store.close();
    await expect(store.save(new MemoryResource())).rejects.toMatchObject({ code: 'invalid_state' });
    await expect(store.load(content)).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

describe('a file that does not fit', () => {
  async function refuses(store: SimpleVectorStore, source: Resource, message: RegExp): Promise<void> {
    const before = await everything(store);
    await expect(store.load(source)).rejects.toMatchObject({
      code: 'store_read',
      subject: 'source',
      message: expect.stringMatching(message),
    });
    expect(await everything(store)).toEqual(before);
  }

  it('has other dimensions than the content, or than the model', async () => {
    const three = new SimpleVectorStore({ embeddingModel: numberEmbeddingModel(3) });
    await three.add([document({ id: 'a', text: '1 2 3' })]);
    const file = new MemoryResource(await saved(three));
    const filled = numbers();
    await filled.add(texts(2));
    await refuses(filled, file, /3 dimensions where 2/);
    await refuses(numbers(), file, /ingest the documents again/);
  });

  it('is read when the model cannot be asked, and found out at the first search', async () => {
    const model = numberEmbeddingModel();
    const dimensions = async (): Promise<number> => {
      throw new Error('offline');
    };
    const store = new SimpleVectorStore({ embeddingModel: { ...model, dimensions } });
    const three = new SimpleVectorStore({ embeddingModel: numberEmbeddingModel(3) });
    await three.add([document({ id: 'a', text: '1 2 3' })]);
    await store.load(new MemoryResource(await saved(three)));
    expect(store.size).toBe(1);
    await expect(store.similaritySearch('1 0')).rejects.toMatchObject({ code: 'store_read', subject: 'dimensions' });
  });

  it('keeps directions only, where lengths count', async () => {
    const cosine = numbers();
    await cosine.add([document({ id: 'a', text: '3 4' })]);
    const file = new MemoryResource(await saved(cosine));
    await refuses(numbers({ metric: 'dot' }), file, /metric 'cosine'/);
    const dot = numbers({ metric: 'dot' });
    await dot.add([document({ id: 'a', text: '3 4' })]);
    const loaded = numbers();
    await loaded.load(new MemoryResource(await saved(dot)));
    expect(await loaded.similaritySearch('3 4')).toMatchObject([{ id: 'a', score: 1 }]);
  });

  it('warns when it was written with another provider', async () => {
    const store = numbers();
    await store.add(texts(1));
    const warnings: unknown[] = [];
    const logger = {
      debug: () => {},
      info: () => {},
      warn: (message: string, data?: unknown) => warnings.push([message, data]),
    };
    const other = new SimpleVectorStore({ embeddingModel: { ...numberEmbeddingModel(), provider: 'other' }, logger });
    const file = new MemoryResource(await saved(store));
    await other.load(file);
    await numbers({ logger }).load(file);
    expect(warnings).toMatchObject([
      [expect.stringMatching(/model of another provider/), { written: 'numbers', present: 'other' }],
    ]);
  });

  it('was written with another model, when both say their names', async () => {
    const named = (model?: string): SimpleVectorStore => {
      const defaultOptions = model === undefined ? {} : { model };
      return new SimpleVectorStore({ embeddingModel: { ...numberEmbeddingModel(), defaultOptions } });
    };
    const store = named('one');
    const empty = new MemoryResource(await saved(store));
    await store.add(texts(2));
    const file = new MemoryResource(await saved(store));
    await refuses(named('two'), file, /embedding model 'one', and this store has 'two'.*'one'.*'two'/);
    await expect(named('two').load(file)).rejects.toMatchObject({ details: { givenModel: 'two', heldModel: 'one' } });
    for (const same of [named('one'), named(), numbers()]) {
      await same.load(file);
      expect(same.size).toBe(2);
    }
    await named('two').load(empty);
    // Written when nobody told the name.
    const unnamed = numbers();
    await unnamed.add(texts(2));
    const reader = named('two');
    await reader.load(new MemoryResource(await saved(unnamed)));
    expect(reader.size).toBe(2);
  });

  it('was cut anywhere, or changed anywhere', async () => {
    const store = numbers();
    await store.add(texts(3));
    const content = await saved(store);
    const target = numbers();
    await target.add([document({ id: 'kept', text: '1 1' })]);
    for (let length = 0; length < content.length; length++) {
      await refuses(target, bytesResource(content.slice(0, length)), /cannot be loaded/);
    }
    for (let at = 0; at < content.length; at++) {
      const changed = content.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      await refuses(target, bytesResource(changed), /cannot be loaded/);
    }
    await refuses(target, bytesResource(Uint8Array.of(...content, 0)), /follows its end/);
  });

  it('is of a later release', async () => {
    const content = await saved(numbers());
    content[8] = 2;
    await refuses(numbers(), bytesResource(content), /version 2.*Update/);
  });

  it('is something else', async () => {
    for (const text of [
      '',
      'hello',
      '[]',
      '42',
      'null',
      '{"a":1}',
      '{"a":{}}',
      '{"a":',
      '{"a":{"text":"x","embedding":[1]}',
    ]) {
      await refuses(numbers(), bytesResource(text), /cannot be loaded/);
    }
  });
});

describe('the JSON of Spring AI', () => {
  const file = JSON.stringify({
    '1': { id: '1', text: 'Hello', metadata: { country: 'BG', year: 2020 }, embedding: [1, 0] },
    '2': { id: '2', content: 'Old name of text', metadata: {}, embedding: [0.6, 0.8] },
    '3': { id: null, text: 'No id', metadata: {}, embedding: [0, 1] },
  });

  it('is read', async () => {
    const store = numbers();
    await store.load(bytesResource(file));
    expect(await store.similaritySearch('1 0')).toMatchObject([
      { id: '1', text: 'Hello', metadata: { country: 'BG', year: 2020, distance: 0 }, score: 1 },
      { id: '2', text: 'Old name of text', score: 0.6 },
      { id: '3', text: 'No id', score: 0 },
    ]);
    await store.load(bytesResource(`\ufeff\n ${file}`));
    expect(store.size).toBe(3);
    await store.load(bytesResource('{}'));
    expect(store.size).toBe(0);
  });

  it.each([
    ['no embedding', '{"1":{"id":"1","text":"x","metadata":{}}}'],
    ['an empty embedding', '{"1":{"id":"1","text":"x","metadata":{},"embedding":[]}}'],
    ['an embedding of texts', '{"1":{"id":"1","text":"x","metadata":{},"embedding":["1","0"]}}'],
    ['no text', '{"1":{"id":"1","metadata":{},"embedding":[1,0]}}'],
    ['a blank id', '{"1":{"id":" ","text":"x","metadata":{},"embedding":[1,0]}}'],
    ['zeros', '{"1":{"id":"1","text":"x","metadata":{},"embedding":[0,0]}}'],
    ['numbers beyond float32', '{"1":{"id":"1","text":"x","metadata":{},"embedding":[1e300,0]}}'],
    ['other dimensions', '{"1":{"id":"1","text":"x","metadata":{},"embedding":[1,0,0]}}'],
    [
      'two lengths',
      '{"1":{"id":"1","text":"x","metadata":{},"embedding":[1,0]},"2":{"id":"2","text":"x","metadata":{},"embedding":[1]}}',
    ],
    ['a list for a document', '{"1":[1,0]}'],
  ])('is refused with %s', async (_name, text) => {
    const store = numbers();
    await store.add(texts(1));
    await expect(store.load(bytesResource(text))).rejects.toMatchObject({ code: 'store_read' });
    expect(store.size).toBe(1);
  });
});
