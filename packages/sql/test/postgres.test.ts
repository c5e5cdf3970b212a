import { postgresDatabase, postgresError, type SqlDatabase, sqlIdentifier } from '@vernal/sql';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure, POSTGRES_REASON, postgresPool, tableName, until } from './databases.js';

describe.skipIf(POSTGRES_REASON !== undefined)(
  `PostgreSQL alone${POSTGRES_REASON ? ` (skipped: ${POSTGRES_REASON})` : ''}`,
  () => {
    let pool: Pool;
    let watcher: SqlDatabase;
    const table = sqlIdentifier('postgres', tableName(), 'table');
    beforeAll(async () => {
      if (POSTGRES_REASON !== undefined) return;
      pool = postgresPool(4);
      watcher = postgresDatabase(pool);
      await watcher.run([
        { text: `CREATE TABLE ${table} (id INT PRIMARY KEY, t TEXT)` },
        { text: `INSERT INTO ${table} (id) VALUES (1), (2), (3), (4)` },
      ]);
    });
    afterAll(async () => {
      if (POSTGRES_REASON !== undefined) return;
      await watcher.run([{ text: `DROP TABLE ${table}` }]);
      await pool.end();
    });

    const running = async (text: string): Promise<unknown[]> => {
      const [found] = await watcher.run([
        { text: "SELECT pid FROM pg_stat_activity WHERE query LIKE ? AND state = 'active'", values: [`${text}%`] },
      ]);
      return (found?.rows ?? []).map((row) => row['pid']);
    };
    const texts = async (): Promise<unknown[]> =>
      ((await watcher.run([{ text: `SELECT t FROM ${table} ORDER BY id` }]))[0]?.rows ?? []).map((row) => row['t']);

    it('cancels what runs when the signal fires, undoes the list, and keeps the pool usable', async () => {
      const leaving = new AbortController();
      const sleep = 'SELECT pg_sleep(600) AS one_';
      const waiting = watcher.run([{ text: `UPDATE ${table} SET t = 'gone'` }, { text: sleep }], {
        signal: leaving.signal,
      });
      waiting.catch(() => undefined);
      await until(async () => (await running(sleep)).length === 1);
      leaving.abort();
      expect(await failure(waiting)).toMatchObject({ code: 'aborted' });
      await until(async () => (await running(sleep)).length === 0);
      expect(await texts()).toEqual([null, null, null, null]);
    });

    it('cancels a lone statement, too', async () => {
      const leaving = new AbortController();
      const sleep = 'SELECT pg_sleep(600) AS three_';
      const waiting = failure(watcher.run([{ text: sleep }], { signal: leaving.signal }));
      await until(async () => (await running(sleep)).length === 1);
      leaving.abort();
      expect(await waiting).toMatchObject({ code: 'aborted' });
      await until(async () => (await running(sleep)).length === 0);
    });

    it('answers an abort at once to who waits for a connection', async () => {
      const single = postgresPool(1);
      const held = await single.connect();
      const leaving = new AbortController();
      const waiting = postgresDatabase(single).run([{ text: 'SELECT 1 AS one' }], { signal: leaving.signal });
      leaving.abort();
      expect(await failure(waiting)).toMatchObject({ code: 'aborted' });
      held.release();
      expect((await postgresDatabase(single).run([{ text: 'SELECT 1 AS one' }]))[0]?.rows).toEqual([{ one: 1 }]);
      await single.end();
    });

    it('a connection that the server ends is a typed error that may pass; nothing is written, the pool goes on', async () => {
      const sleep = 'SELECT pg_sleep(600) AS two_';
      const waiting = watcher.run([{ text: `UPDATE ${table} SET t = 'gone'` }, { text: sleep }]);
      waiting.catch(() => undefined);
      await until(async () => (await running(sleep)).length === 1);
      await watcher.run([{ text: 'SELECT pg_terminate_backend(?::int)', values: [Number((await running(sleep))[0])] }]);
      expect(await failure(waiting)).toMatchObject({ code: 'database', retryable: true });
      expect(await texts()).toEqual([null, null, null, null]);
    });

    it('a list that is undone by a deadlock is run again, and both lists land whole', async () => {
      const set = (id: number, t: string, comment = '') => ({
        text: `${comment} UPDATE ${table} SET t = ? WHERE id = ?`,
        values: [t, id],
      });
      // Both hold a row of their own before they ask for that of the other: until then each waits for a third.
      const waits = '/* waits */';
      const holder = await pool.connect();
      await holder.query('BEGIN');
      await holder.query(`UPDATE ${table} SET t = 'held' WHERE id > 2`);
      const lists = Promise.all([
        watcher.run([set(1, 'x'), set(3, 'x', waits), set(2, 'x')]),
        watcher.run([set(2, 'y'), set(4, 'y', waits), set(1, 'y')]),
      ]);
      await until(async () => (await running(waits)).length === 2);
      await holder.query('ROLLBACK');
      holder.release();
      await lists;
      const [first, second] = await texts();
      expect(['x', 'y']).toContain(first);
      expect(first).toBe(second);
      await watcher.run([{ text: `UPDATE ${table} SET t = NULL` }]);
    });
  },
);

describe('a pool of PostgreSQL without a server', () => {
  it('says that a server is not there, and that it may pass', async () => {
    const nobody = new Pool({ host: '127.0.0.1', port: 1 });
    await expect(postgresDatabase(nobody).run([])).rejects.toMatchObject({ code: 'database', retryable: true });
    await nobody.end();
    await expect(postgresDatabase(nobody).run([])).rejects.toMatchObject({ code: 'database', retryable: false });
  });
});

describe('postgresError', () => {
  it.each([
    ['40P01', true],
    ['40001', true],
    ['55P03', true],
    ['53300', true],
    ['57P01', true],
    ['42P01', false],
    ['23505', false],
  ])('knows of SQLSTATE %s whether it passes', (code, retryable) => {
    expect(postgresError({ code })).toMatchObject({ code: 'database', retryable, details: { sqlstate: code } });
  });

  it('says that nobody knows what became of statements whose connection was lost', () => {
    const outcome = (code: string | undefined): unknown => postgresError({ code }).details['outcome'];
    expect([undefined, 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].map(outcome)).toEqual(Array(4).fill('unknown'));
    expect(['ECONNREFUSED', 'ENOTFOUND', '23505', '40001'].map(outcome)).toEqual(Array(4).fill(undefined));
  });

  it('tells what its caller knows better', () => {
    const faults = { '42P01': { fix: 'say initializeSchema', subject: 'table' } };
    const error = postgresError({ code: '42P01' }, { code: 'store_read', faults });
    expect(error).toMatchObject({
      code: 'store_read',
      subject: 'table',
      message: 'PostgreSQL refused: say initializeSchema',
    });
    expect(postgresError(error)).toBe(error);
  });
});
