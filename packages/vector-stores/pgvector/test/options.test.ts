import { PgVectorStore, type PgVectorStoreOptions } from '@vernal/vector-store-pgvector';
import { describe, expect, it } from 'vitest';

const pool = { connect: () => Promise.reject(new Error('not asked for')) };

describe('options of PgVectorStore', () => {
  it.each<[string, object]>([
    ['pool', { pool: undefined }],
    ['pool', { pool: 'postgres://localhost' }],
    ['dimensions', { dimensions: 0 }],
    ['dimensions', { dimensions: 1.5 }],
    ['maxBatch', { maxBatch: 0 }],
    ['maxBatch', { maxBatch: Number.NaN }],
    ['idType', { idType: 'UUID' }],
    ['metric', { metric: 'COSINE_DISTANCE' }],
    ['indexType', { indexType: 'flat' }],
    ['vectorType', { vectorType: 'bit' }],
    ['initializeSchema', { initializeSchema: true }],
    ['hnsw.m', { hnsw: { m: 1 } }],
    ['hnsw.m', { hnsw: { m: '16); DROP TABLE x; --' } }],
    ['hnsw.efConstruction', { hnsw: { efConstruction: 1001 } }],
    ['hnsw.efSearch', { hnsw: { efSearch: 0 } }],
    ['ivfflat.lists', { ivfflat: { lists: 0 } }],
    ['ivfflat.probes', { ivfflat: { probes: 40_000 } }],
    ['maxScanTuples', { maxScanTuples: -1 }],
    ['table', { table: 7 }],
  ])('%s out of range is refused when the store is made: %o', (subject, options) => {
    const make = (): PgVectorStore => new PgVectorStore({ pool, ...options } as PgVectorStoreOptions);
    expect(make).toThrowError(expect.objectContaining({ code: 'invalid_argument', subject }));
  });

  it('are said as plain capabilities', () => {
    const { capabilities, client } = new PgVectorStore({
      pool,
      metric: 'dot',
      textSearchConfig: 'simple',
      maxBatch: 7,
    });
    expect(capabilities).toMatchObject({
      deleteByFilter: true,
      deleteCount: true,
      modes: ['vector', 'keyword', 'hybrid'],
      mmr: true,
      media: false,
      metric: 'dot',
      maxBatch: 7,
      consistency: 'strong',
    });
    expect(client).toBe(pool);
  });

  it('without a model a store can be searched by vector only, and needs dimensions to make its table', async () => {
    const store = new PgVectorStore({ pool, initializeSchema: 'create' });
    await expect(store.initialize()).rejects.toMatchObject({ code: 'invalid_argument', subject: 'dimensions' });
    await expect(new PgVectorStore({ pool }).similaritySearch('x')).rejects.toMatchObject({ code: 'invalid_state' });
  });
});
