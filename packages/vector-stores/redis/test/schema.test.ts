import { document } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import type { RedisVectorStoreOptions } from '@vernal/vector-store-redis';
import { expect, it } from 'vitest';
import { describeOnServer } from './server.js';

describeOnServer('the index', (server) => {
  it('is made once by several stores at once, and finds what was there before', async () => {
    const index = server.name();
    const first = server.store({ index });
    await first.add(Array.from({ length: 300 }, (_, at) => document({ id: `d${at}`, text: `text ${at}` })));
    await server.client.call('FT.DROPINDEX', [index]);
    const stores = [1, 2, 3].map(() => server.store({ index }));
    await Promise.all(stores.map((store) => store.initialize()));
    for (const store of stores) expect(await store.similaritySearch({ query: 'text', topK: 1000 })).toHaveLength(300);
  });

  it('is looked at for what is missing, and what is of another kind', async () => {
    const index = server.name();
    await server.store({ index, metadataFields: [{ name: 'year', type: 'numeric' }] }).initialize();
    const faults = async (options: Partial<RedisVectorStoreOptions>): Promise<unknown> =>
      server
        .store({ index, initializeSchema: 'validate', ...options })
        .initialize()
        .catch(({ code, subject, details }) => [code, subject, details.faults]);
    expect(await faults({})).toBeUndefined();
    const error = (...all: string[]): unknown => ['store_read', 'index', all];
    expect(await faults({ prefix: 'other:' })).toEqual(error('it does not index the keys that start with the prefix'));
    expect(await faults({ metric: 'dot' })).toEqual(error('its metric is COSINE, not IP'));
    expect(await faults({ embeddingModel: hashingEmbeddingModel({ dimensions: 9 }) })).toEqual(
      error('its vectors have 8 dimensions, those of the model 9'),
    );
    expect(
      await faults({
        initializeSchema: 'create',
        metadataFields: [
          { name: 'year', type: 'tag' },
          { name: 'other', type: 'text' },
        ],
      }),
    ).toEqual(error('the field m_year is NUMERIC, not TAG', 'the field m_other is missing'));
    expect(await faults({ index: `${index}_none` })).toEqual(['store_read', 'index', undefined]);
  });

  it('refuses vectors of other dimensions, which the engine would keep and never find', async () => {
    const index = server.name();
    await server.store({ index }).add([document({ id: 'a', text: 'x' })]);
    const embeddingModel = hashingEmbeddingModel({ dimensions: 16 });
    const store = server.store({ index, embeddingModel, initializeSchema: 'none' });
    const details = { given: 16, held: 8 };
    const refused = { subject: 'dimensions', details };
    await expect(store.add([document({ id: 'b', text: 'x' })])).rejects.toMatchObject({
      code: 'store_write',
      ...refused,
    });
    await expect(store.similaritySearch('x')).rejects.toMatchObject({ code: 'store_read', ...refused });
    expect(await server.client.exists(`${index}:b`)).toBe(0);
  });

  it('of a store without a model needs dimensions, and takes vectors', async () => {
    const bare = { embeddingModel: undefined };
    await expect(server.store(bare).initialize()).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'dimensions',
    });
    const store = server.store({ ...bare, dimensions: 3 });
    const vector = Float32Array.of(1, 2, 3);
    expect(await store.similaritySearch({ query: '', vector })).toEqual([]);
  });

  it('is not made and not found without initializeSchema; the error says how', async () => {
    await expect(server.store({ initializeSchema: 'none' }).similaritySearch('x')).rejects.toMatchObject({
      code: 'store_read',
      subject: 'index',
      message: expect.stringContaining("initializeSchema to 'create'"),
    });
  });

  it('tries again after a failure', async () => {
    const index = server.name();
    const store = server.store({ index, initializeSchema: 'validate' });
    await expect(store.similaritySearch('x')).rejects.toMatchObject({ subject: 'index' });
    await server.store({ index }).initialize();
    expect(await store.similaritySearch('x')).toEqual([]);
  });

  it('can be ranked in each way', async () => {
    const index = server.name();
    const store = server.store({ index });
    await store.add([document({ id: 'a', text: 'x' })]);
    for (const textScorer of ['BM25', 'TFIDF', 'TFIDF.DOCNORM', 'DISMAX'] as const)
      expect(await server.store({ index, textScorer }).similaritySearch({ query: 'x', mode: 'keyword' })).toHaveLength(
        1,
      );
  });
});
