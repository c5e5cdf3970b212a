import { document } from '@vernal/core';
import { filter } from '@vernal/vector-store';
import type { PgPool } from '@vernal/vector-store-pgvector';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numbersModel } from './numbers-model.js';
import { Scratch } from './scratch.js';
import { serverPool } from './server.js';

const { pool, reason } = serverPool(4);
/** Whose planner has no way but the index. */
const { pool: planned } = serverPool(2, {
  options: '-c enable_seqscan=off -c enable_bitmapscan=off -c enable_sort=off',
});
const ROWS = 20_000;

describe.skipIf(pool === undefined)(`PgVectorStore with many rows ${reason ?? ''}`, () => {
  let place: Scratch;
  beforeAll(async () => {
    if (pool === undefined) return;
    place = new Scratch(pool);
    // The index by itself: with one on the metadata the planner would not need to scan it on and on.
    await place.store({ metadataIndex: false }).initialize();
    // On a circle, with the rare ones at the far side of it; the index is made at the end, which is quicker.
    await place.rows('DROP INDEX PLACE.spring_ai_vector_index');
    await place.rows(
      `INSERT INTO PLACE.vector_store SELECT i::text, 'row ' || i, jsonb_build_object('n', i, 'rare', i % 6000 = 5999),
         ARRAY[cos(i * pi() / $1), sin(i * pi() / $1), 0.1]::vector FROM generate_series(0, $1 - 1) AS i`,
      [ROWS],
    );
    await place.rows("SET maintenance_work_mem = '256MB'");
    await place.rows(
      'CREATE INDEX spring_ai_vector_index ON PLACE.vector_store USING hnsw (embedding vector_cosine_ops)',
    );
    await place.rows('ANALYZE PLACE.vector_store');
  });
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]();
    await pool?.end();
    await planned?.end();
  });

  it('answers from the index', async () => {
    const plan = await place.rows<Record<string, string>>(
      `EXPLAIN SELECT id, embedding <=> '[1,0,0]'::vector AS measure FROM PLACE.vector_store WHERE true ORDER BY measure LIMIT 4`,
    );
    expect(JSON.stringify(plan)).toContain('spring_ai_vector_index');
  });

  it('gives topK rows though the filter lets 3 of 20,000 through, those farthest from the query', async () => {
    const store = place.store({ initializeSchema: 'none', pool: planned ?? place.pool });
    const filterExpression = filter.eq('rare', true);
    const rare = await store.similaritySearch({ query: '1 0 0', topK: 3, filterExpression });
    expect(rare.map(({ id }) => id)).toEqual(['5999', '11999', '17999']);
    const impatient = place.store({ initializeSchema: 'none', pool: planned ?? place.pool, maxScanTuples: 1 });
    expect(await impatient.similaritySearch({ query: '1 0 0', topK: 3, filterExpression })).toEqual([]);
    const wide = await store.similaritySearch({ query: '1 0 0', topK: 10, filterExpression: filter.gte('n', 19_000) });
    expect(wide.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, index) => `${19_000 + index}`));
  });

  it("is exact with indexType 'none', also where the table has an index", async () => {
    const store = place.store({ initializeSchema: 'none', pool: planned ?? place.pool, indexType: 'none' });
    const filterExpression = filter.eq('rare', true);
    const rare = await store.similaritySearch({ query: '1 0 0', topK: 3, filterExpression });
    expect(rare.map(({ id }) => id)).toEqual(['5999', '11999', '17999']);
  });

  it('gives topK rows beyond what a scan looks at by default', async () => {
    const store = place.store({ initializeSchema: 'none' });
    for (const topK of [500, 1500, Number.MAX_SAFE_INTEGER]) {
      const found = await store.similaritySearch({ query: '1 0 0', topK });
      expect(found).toHaveLength(Math.min(topK, ROWS));
      const scores = found.map(({ score = 0 }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    }
  });

  it.each([
    { indexType: 'ivfflat', ivfflat: { lists: 50, probes: 1 } },
    { vectorType: 'halfvec' },
    { vectorType: 'halfvec', indexType: 'ivfflat', ivfflat: { lists: 50, probes: 1 } },
  ] as const)('finds the one of 10,000 rows that a filter lets through: %o', async (options) => {
    await using other = new Scratch(place.pool);
    const common = { ...options, metadataIndex: false, embeddingModel: numbersModel(4) };
    await other.store({ ...common, indexType: 'none' }).initialize();
    await other.rows(
      `INSERT INTO PLACE.vector_store SELECT i::text, 'row ' || i, jsonb_build_object('n', i),
         ARRAY[sin(i), sin(i * 2.3), sin(i * 3.7), sin(i * 5.1)]::vector FROM generate_series(1, 10000) AS i`,
    );
    await other.store(common).initialize();
    const store = other.store({ ...common, initializeSchema: 'none', pool: planned ?? place.pool });
    for (const n of [1, 7777]) {
      const found = await store.similaritySearch({ query: '-1 1 -1 1', topK: 4, filterExpression: `n == ${n}` });
      expect(found.map(({ id }) => id)).toEqual([`${n}`]);
    }
  });

  it('finds by equality through the index on the metadata', async () => {
    await using other = new Scratch(place.pool);
    const store = other.store({ indexType: 'none' });
    await store.initialize();
    await other.rows(
      `INSERT INTO PLACE.vector_store SELECT id, content, metadata, embedding FROM ${place.schema}.vector_store`,
    );
    await other.rows('ANALYZE PLACE.vector_store');
    const statements = recording(place.pool);
    await other
      .store({ pool: statements, indexType: 'none' })
      .similaritySearch({ query: '1 0 0', filterExpression: filter.in('n', [1, 2, 3]) });
    const [{ text, values } = { text: '', values: [] }] = statements.all.filter((one) => one.text.includes('@>'));
    const plan = await place.pool.query(`EXPLAIN ${text}`, values);
    expect(JSON.stringify(plan.rows)).toContain('vector_store_metadata_index');
  });

  it('takes 70,000 documents in one add, and deletes them by as many ids', async () => {
    await using other = new Scratch(place.pool);
    const store = other.store({ indexType: 'none', metadataIndex: false });
    const documents = Array.from({ length: 70_000 }, (_, index) => document({ id: `${index}`, text: `1 ${index} 0` }));
    await store.add(documents);
    expect(await other.rows('SELECT count(*)::int AS count FROM PLACE.vector_store')).toEqual([{ count: 70_000 }]);
    expect(await store.delete(documents.map(({ id }) => id))).toEqual({ deleted: 70_000 });
  });
});

/** A pool that writes down the statements it is given. */
function recording(pool: Pool): PgPool & { readonly all: { text: string; values: unknown[] }[] } {
  const all: { text: string; values: unknown[] }[] = [];
  return {
    all,
    async connect() {
      const client = await pool.connect();
      return {
        query(text, values = []) {
          all.push({ text, values });
          return client.query(text, values);
        },
        release: (destroy) => client.release(destroy),
      };
    },
  };
}
