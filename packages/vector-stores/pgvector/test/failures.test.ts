import { type Document, document, type EmbeddingModel } from '@vernal/core';
import type { Pool, PoolClient } from 'pg';
import { Pool as NewPool } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { numbersModel } from './numbers-model.js';
import { failure, Scratch } from './scratch.js';
import { serverPool } from './server.js';

const { pool, reason } = serverPool(6);
afterAll(() => pool?.end());

const one = (id: string): Document => document({ id, text: '1 0 0' });

/** Looks again until the server says so: the moment is the server's. */
async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise((resolve) => setImmediate(resolve));
}

describe.skipIf(pool === undefined)(`PgVectorStore in trouble ${reason ?? ''}`, () => {
  const scratch = (): Scratch => {
    if (pool === undefined) throw new Error(reason);
    return new Scratch(pool);
  };

  /** A store whose table another connection has locked, with an add that waits for it. */
  async function waiting(
    place: Scratch,
    options: { pool?: Pool; signal?: AbortSignal; documents?: readonly Document[] } = {},
  ): Promise<{ add: Promise<void>; pid: number; unlock: () => Promise<void>; store: ReturnType<Scratch['store']> }> {
    const store = place.store({ pool: options.pool ?? place.pool });
    await store.add([one('before')]);
    const locker: PoolClient = await place.pool.connect();
    await locker.query(`BEGIN; LOCK TABLE ${place.schema}.vector_store IN EXCLUSIVE MODE`);
    const add = store.add(options.documents ?? [one('a'), one('b')], options.signal && { signal: options.signal });
    add.catch(() => undefined);
    let pid = 0;
    await until(async () => {
      const rows = await running(place);
      pid = rows[0]?.pid ?? 0;
      return rows.length > 0;
    });
    const unlock = async (): Promise<void> => {
      await locker.query('ROLLBACK');
      locker.release();
    };
    return { add, pid, unlock, store };
  }

  const running = (place: Scratch): Promise<{ pid: number }[]> =>
    place.rows("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1", [
      `INSERT INTO "${place.schema}"%`,
    ]);
  const stored = async (place: Scratch): Promise<string[]> =>
    (await place.rows<{ id: string }>('SELECT id FROM PLACE.vector_store ORDER BY id')).map(({ id }) => id);

  it('an abort in the middle of a statement ends it on the server, writes nothing and leaves the pool whole', async () => {
    await using place = scratch();
    const controller = new AbortController();
    const { add, unlock, store } = await waiting(place, { signal: controller.signal });
    controller.abort();
    expect(await failure(add)).toMatchObject({ code: 'aborted' });
    // The lock is still held: the statement can be gone only because it was cancelled.
    await until(async () => (await running(place)).length === 0);
    await unlock();
    await store.close();
    expect(await stored(place)).toEqual(['before']);
    await place.store().add([one('after')]);
    expect(await stored(place)).toEqual(['after', 'before']);
  });

  it('a cancel hits nobody else: connections that were cancelled are not used again', async () => {
    await using place = scratch();
    const store = place.store();
    await store.add([one('a')]);
    for (let round = 0; round < 30; round++) {
      const controller = new AbortController();
      const search = store.similaritySearch('1 0 0', { signal: controller.signal }).catch(() => undefined);
      if (round % 3 > 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      expect(await store.similaritySearch('1 0 0')).toHaveLength(1);
      await search;
    }
  });

  it('a pool of one connection lets its statement end, and the abort is answered at once', async () => {
    await using place = scratch();
    const single = serverPool(1).pool ?? place.pool;
    try {
      const controller = new AbortController();
      const { add, unlock, store } = await waiting(place, { pool: single, signal: controller.signal });
      controller.abort();
      expect(await failure(add)).toMatchObject({ code: 'aborted' });
      await unlock();
      await store.close();
      expect(await stored(place)).toEqual(['before']);
      expect((await single.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await single.end();
    }
  });

  it('a connection that the server ends in the middle of an add is a typed error; nothing is written, the pool goes on', async () => {
    await using place = scratch();
    const { add, pid, unlock, store } = await waiting(place);
    await place.rows('SELECT pg_terminate_backend($1)', [pid]);
    const error = await failure(add);
    expect(error).toMatchObject({ code: 'store_write', retryable: true });
    await unlock();
    expect(await stored(place)).toEqual(['before']);
    await store.add([one('a'), one('b')]);
    expect(await stored(place)).toEqual(['a', 'b', 'before']);
  });

  it('a batch that fails in a later statement leaves nothing of the earlier ones', async () => {
    await using place = scratch();
    const store = place.store();
    await store.initialize();
    await place.rows("ALTER TABLE PLACE.vector_store ADD CONSTRAINT short CHECK (id <> 'z')");
    const long = 'word '.repeat(2_000_000);
    const documents = ['a', 'b', 'z'].map((id) => document({ id, text: `${long}\n1 0 0` }));
    const error = await failure(store.add(documents));
    expect(error).toMatchObject({ code: 'store_write', retryable: false, details: { sqlstate: '23514' } });
    expect(JSON.stringify(error)).not.toContain('word');
    expect(await stored(place)).toEqual([]);
    await store.add(documents.slice(0, 2));
    expect(await stored(place)).toEqual(['a', 'b']);
  });

  it('a server that is not there is a typed error that says so, and is worth another try', async () => {
    const nowhere = new NewPool({ host: '127.0.0.1', port: 1, user: 'x', password: 'secret' });
    const store = new Scratch(nowhere).store();
    const error = await failure(store.add([one('a')]));
    expect(error).toMatchObject({ code: 'store_write', retryable: true, details: { reason: 'ECONNREFUSED' } });
    expect(`${error['message']}`).toContain('check that the server runs');
    expect(JSON.stringify(error)).not.toContain('secret');
    await nowhere.end();
    const ended = await failure(store.similaritySearch('1 0 0'));
    expect(ended).toMatchObject({ retryable: false, message: expect.stringContaining('the pool was ended') });
  });

  it('closing the store leaves the pool open, and waits for what runs', async () => {
    await using place = scratch();
    const { add, unlock, store } = await waiting(place);
    let closed = false;
    const closing = store.close().then(() => {
      closed = true;
    });
    await Promise.resolve();
    expect(closed).toBe(false);
    await unlock();
    await closing;
    await add;
    expect(await failure(store.initialize())).toMatchObject({ code: 'invalid_state' });
    expect(await stored(place)).toEqual(['a', 'b', 'before']);
  });

  it('an abort while the table is made leaves others that wait for it alone, and the last one ends it', async () => {
    await using place = scratch();
    let signal: AbortSignal | undefined;
    let asked = 0;
    let answer = (_dimensions: number): void => {};
    const embeddingModel: EmbeddingModel = {
      ...numbersModel(),
      dimensions: (context) => {
        asked++;
        signal = context?.signal;
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    };
    const store = place.store({ embeddingModel });
    const [first, second] = [new AbortController(), new AbortController()];
    const a = failure(store.similaritySearch('1 0 0', { signal: first.signal }));
    const b = failure(store.similaritySearch('1 0 0', { signal: second.signal }));
    first.abort();
    expect(await a).toMatchObject({ code: 'aborted' });
    expect(signal?.aborted).toBe(false);
    second.abort();
    expect(await b).toMatchObject({ code: 'aborted' });
    expect(signal?.aborted).toBe(true);
    answer(3);
    const third = store.similaritySearch('1 0 0');
    answer(3);
    expect(await third).toEqual([]);
    expect(asked).toBe(2);
  });

  it('gives scores and metadata whatever the driver makes of types', async () => {
    await using place = scratch();
    await place.store().add([document({ id: 'a', text: '1 0 0', metadata: {} })]);
    const types = { getTypeParser: () => (value: string) => value };
    const texts = new NewPool({ ...place.pool.options, types });
    try {
      expect(await place.store({ pool: texts, initializeSchema: 'none' }).similaritySearch('1 0 0')).toEqual([
        { id: 'a', text: '1 0 0', metadata: { distance: 0 }, score: 1 },
      ]);
    } finally {
      await texts.end();
    }
  });
});
