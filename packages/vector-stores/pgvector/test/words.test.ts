import { document } from '@vernal/core';
import { afterAll, describe, expect, it } from 'vitest';
import { failure, Scratch } from './scratch.js';
import { serverPool } from './server.js';

const { pool, reason } = serverPool(3);
afterAll(() => pool?.end());

describe.skipIf(pool === undefined)(`search by words of PgVectorStore ${reason ?? ''}`, () => {
  const scratch = (): Scratch => {
    if (pool === undefined) throw new Error(reason);
    return new Scratch(pool);
  };
  const texts = {
    late: 'The trains were running late',
    early: 'An early train',
    birds: 'birds in autumn',
    url: 'see example.com/a?b=1&c=2 and it\'s "fine"',
  };
  async function filled(place: Scratch, textSearchConfig: string): Promise<ReturnType<Scratch['store']>> {
    const store = place.store({ textSearchConfig });
    await store.add(Object.entries(texts).map(([id, text]) => document({ id, text })));
    return store;
  }

  it('knows the stems and stop words of its configuration', async () => {
    await using place = scratch();
    const english = await filled(place, 'english');
    const ids = async (store: typeof english, query: string): Promise<string[]> =>
      (await store.similaritySearch({ query, mode: 'keyword' })).map(({ id }) => id).toSorted();
    expect(await ids(english, 'the train runs')).toEqual(['early', 'late']);
    expect(await ids(english, 'the')).toEqual([]);
    const simple = place.store({ textSearchConfig: 'simple' });
    expect(await ids(simple, 'the train')).toEqual(['early', 'late']);
    expect(await ids(simple, 'trains runs')).toEqual(['late']);
  });

  it('finds words that hold operators, and takes operators for none', async () => {
    await using place = scratch();
    const store = await filled(place, 'simple');
    const ids = async (query: string): Promise<string[]> =>
      (await store.similaritySearch({ query, mode: 'keyword' })).map(({ id }) => id);
    expect(await ids('example.com/a?b=1&c=2')).toEqual(['url']);
    for (const query of ["'", '\\', "a' | 'b", '!zebra', 'zebra:*', '& | ! <->', '\u0000', "\\' OR 1=1", '((('])
      expect(await ids(query), query).toEqual([]);
  });

  it('uses its index', async () => {
    await using place = scratch();
    await filled(place, 'simple');
    const plan = await place.pool.connect();
    try {
      await plan.query('BEGIN; SET LOCAL enable_seqscan = off');
      const { rows } = await plan.query(
        `EXPLAIN SELECT FROM ${place.schema}.vector_store WHERE to_tsvector('simple'::regconfig, left(content, 200000)) @@ (SELECT 'train'::tsquery)`,
      );
      expect(JSON.stringify(rows)).toContain('vector_store_text_index');
    } finally {
      await plan.query('ROLLBACK');
      plan.release();
    }
  });

  it('takes a text with more words than a tsvector holds', async () => {
    await using place = scratch();
    const store = place.store({ textSearchConfig: 'simple' });
    const text = `${Array.from({ length: 400_000 }, (_, index) => `w${index}`).join(' ')}\n1 0 0`;
    await store.add([document({ id: 'long', text })]);
    const found = await store.similaritySearch({ query: 'w7', mode: 'keyword' });
    expect(found.map((one) => one.text?.length)).toEqual([text.length]);
  });

  it('finds rows without a vector by their words, spread out too', async () => {
    await using place = scratch();
    const store = await filled(place, 'simple');
    await place.rows(
      "INSERT INTO PLACE.vector_store VALUES ('bare', 'a bare train', NULL, NULL), ('zero', 'a zero train', '{}', '[0,0,0]')",
    );
    for (const mmr of [undefined, { lambda: 0.5 }]) {
      const found = await store.similaritySearch({ query: 'train', mode: 'keyword', mmr });
      expect(found.map(({ id }) => id).toSorted()).toEqual(['bare', 'early', 'zero']);
      expect(found.every(({ score = Number.NaN }) => score > 0)).toBe(true);
    }
    const near = await store.similaritySearch({ query: 'early train', topK: 9 });
    expect(near.map(({ id }) => id).toSorted()).toEqual(['birds', 'early', 'late', 'url']);
  });

  it('is not declared without a configuration, and one that is absent is a typed error', async () => {
    await using place = scratch();
    expect(place.store().capabilities.modes).toEqual(['vector']);
    expect(await failure(place.store().similaritySearch({ query: 'x', mode: 'hybrid' }))).toMatchObject({
      code: 'unsupported_capability',
    });
    const error = await failure(place.store({ textSearchConfig: "klingon'; --" }).initialize());
    expect(error).toMatchObject({ code: 'store_write', details: { sqlstate: '42704' } });
  });
});
