import { document } from '@vernal/core';
import type { PgIdType } from '@vernal/vector-store-pgvector';
import { afterAll, describe, expect, it } from 'vitest';
import { failure, Scratch } from './scratch.js';
import { serverPool } from './server.js';

const { pool, reason } = serverPool(3);
afterAll(() => pool?.end());

const UUID = '01234567-89ab-4cde-8f01-23456789abcd';
const KINDS: readonly [PgIdType, readonly string[], readonly string[]][] = [
  [
    'uuid',
    [UUID, UUID.replace('0', 'f')],
    ['a', '', UUID.toUpperCase(), `${UUID} `, `{${UUID}}`, UUID.replaceAll('-', '')],
  ],
  ['integer', ['0', '-2147483648', '2147483647'], ['2147483648', '-2147483649', '01', '-0', '1.0', '1e3', ' 1', 'x']],
  ['serial', ['1', '77'], ['2147483648', '+1', "1' OR '1'='1"]],
  ['bigint', ['9223372036854775807', '-9223372036854775808'], ['9223372036854775808', '1_000', '٣']],
  ['bigserial', ['9007199254740993'], ['9'.repeat(30)]],
  ['text', [UUID.toUpperCase(), '01', ' 1', '\u0000', '\ufeffx', '\u{F0000}0;'], []],
];

describe.skipIf(pool === undefined)(`ids of PgVectorStore ${reason ?? ''}`, () => {
  it.each(KINDS)(
    'of type %s come back as they are, others are refused before anything is written',
    async (idType, good, bad) => {
      if (pool === undefined) return;
      await using place = new Scratch(pool);
      let embedded = 0;
      const plain = place.store({ idType });
      const store = place.store({
        idType,
        embeddingModel: {
          provider: 'counting',
          dimensions: async () => 3,
          call: async () => ({ embeddings: [], metadata: { model: 'x', usage: {} } }),
          embed: async (texts) => {
            embedded += texts.length;
            return texts.map(() => Float32Array.of(1, 0, 0));
          },
        },
      });
      await store.add(good.map((id) => document({ id, text: id })));
      const ids = async (): Promise<string[]> =>
        (await plain.similaritySearch({ query: '1 0 0', topK: 99 })).map(({ id }) => id).toSorted();
      expect(await ids()).toEqual(good.toSorted());
      embedded = 0;
      for (const id of bad.filter((one) => one.trim() !== '')) {
        const error = await failure(
          store.add([document({ id: good[0] ?? '', text: 'new' }), document({ id, text: 'x' })]),
        );
        expect(error, id).toMatchObject({ code: 'invalid_argument', subject: 'documents[1].id' });
      }
      expect(embedded).toBe(0);
      expect(await store.delete(bad)).toEqual({ deleted: 0 });
      expect(await ids()).toEqual(good.toSorted());
      expect(await store.delete([...bad, ...good])).toEqual({ deleted: good.length });
    },
  );

  it('that are too long for the index are refused by a typed error that says so, with the whole batch', async () => {
    if (pool === undefined) return;
    await using place = new Scratch(pool);
    const store = place.store();
    const long = Array.from({ length: 3_000 }, (_, n) => ((n * 7919) % 9973).toString(36)).join('');
    const error = await failure(store.add(['a', long].map((id) => document({ id, text: '1 0 0' }))));
    expect(error).toMatchObject({
      code: 'store_write',
      subject: 'id',
      details: { sqlstate: '54000' },
      retryable: false,
    });
    expect(error['message']).toContain('2,704 bytes');
    await place.rows('ALTER TABLE PLACE.vector_store ALTER COLUMN id TYPE varchar(40)');
    const cut = await failure(store.add(['a', 'x'.repeat(41)].map((id) => document({ id, text: '1 0 0' }))));
    expect(cut).toMatchObject({ code: 'store_write', details: { sqlstate: '22001' } });
    expect(cut['message']).toContain('longer than its column');
    expect(await store.similaritySearch('1 0 0')).toEqual([]);
  });
});
