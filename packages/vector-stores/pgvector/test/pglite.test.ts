import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { document } from '@vernal/core';
import { PgVectorStore } from '@vernal/vector-store-pgvector';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { numbersModel } from './numbers-model.js';

let pool: PGlite;
beforeAll(async () => {
  pool = await PGlite.create({ extensions: { vector } });
});
afterAll(() => pool.close());

it('an add on PGlite that is aborted in its statement is rolled back, and the PGlite goes on', async () => {
  const store = new PgVectorStore({ pool, embeddingModel: numbersModel(), initializeSchema: 'create' });
  await store.initialize();
  const controller = new AbortController();
  const running = new Promise<void>((resolve) => {
    const query = pool.transaction.bind(pool);
    pool.transaction = ((work: Parameters<typeof query>[0]) => {
      pool.transaction = query;
      return query((transaction) => {
        const done = work(transaction);
        resolve();
        return done;
      });
    }) as typeof pool.transaction;
  });
  const documents = Array.from({ length: 200 }, (_, index) => document({ id: `${index}`, text: `1 ${index} 0` }));
  const adding = store.add(documents, { signal: controller.signal });
  await running;
  controller.abort();
  await expect(adding).rejects.toMatchObject({ code: 'aborted' });
  await store.close();
  expect((await pool.query('SELECT count(*)::int AS count FROM vector_store')).rows).toEqual([{ count: 0 }]);
  const next = new PgVectorStore({ pool, embeddingModel: numbersModel() });
  await next.add(documents);
  expect(await next.delete(documents.map(({ id }) => id))).toEqual({ deleted: 200 });
});
