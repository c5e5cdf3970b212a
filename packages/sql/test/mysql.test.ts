import { mysqlDatabase, mysqlError, type SqlDatabase, sqlIdentifier } from '@vernal/sql';
import { createConnection, type Pool } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure, MARIADB_REASON, MARIADB_URL, mysqlPool, tableName, until } from './databases.js';

describe.skipIf(MARIADB_REASON !== undefined)(
  `MariaDB alone${MARIADB_REASON ? ` (skipped: ${MARIADB_REASON})` : ''}`,
  () => {
    let pool: Pool;
    let watcher: SqlDatabase;
    const table = sqlIdentifier('mysql', tableName(), 'table');
    beforeAll(async () => {
      if (MARIADB_REASON !== undefined) return;
      pool = mysqlPool(4);
      watcher = mysqlDatabase(pool);
      await watcher.run([
        {
          text: `CREATE TABLE ${table} (id INT PRIMARY KEY, t VARCHAR(20) CHARACTER SET utf8mb4, l VARCHAR(20) CHARACTER SET latin1)`,
        },
        { text: `INSERT INTO ${table} (id) VALUES (1), (2), (3), (4)` },
      ]);
    });
    afterAll(async () => {
      if (MARIADB_REASON !== undefined) return;
      await watcher.run([{ text: `DROP TABLE ${table}` }]);
      await pool.end();
    });

    /** Threads of the server that run a statement which begins like this. */
    const running = async (text: string): Promise<number[]> => {
      const [found] = await watcher.run([
        { text: 'SELECT id FROM information_schema.processlist WHERE info LIKE ?', values: [`${text}%`] },
      ]);
      return (found?.rows ?? []).map((row) => Number(row['id']));
    };
    const texts = async (): Promise<unknown[]> =>
      ((await watcher.run([{ text: `SELECT t FROM ${table} ORDER BY id` }]))[0]?.rows ?? []).map((row) => row['t']);

    it('an abort kills the statement, undoes the list, and costs the connection that ran it', async () => {
      const two = mysqlPool(2);
      const leaving = new AbortController();
      const sleep = 'SELECT SLEEP(600) AS one_';
      const waiting = mysqlDatabase(two).run([{ text: `UPDATE ${table} SET t = 'gone'` }, { text: sleep }], {
        signal: leaving.signal,
      });
      waiting.catch(() => undefined);
      await until(async () => (await running(sleep)).length === 1);
      const [thread] = await running(sleep);
      leaving.abort();
      expect(await failure(waiting)).toMatchObject({ code: 'aborted' });
      await until(async () => (await running(sleep)).length === 0);
      expect(await texts()).toEqual([null, null, null, null]);
      const [found] = await mysqlDatabase(two).run([{ text: 'SELECT CONNECTION_ID() AS id' }]);
      expect(found?.rows[0]?.['id']).not.toBe(thread);
      await two.end();
    });

    it('an abort is answered at once by who waits for a connection, and the pool stays whole', async () => {
      const single = mysqlPool(1);
      const held = await single.getConnection();
      const leaving = new AbortController();
      const waiting = mysqlDatabase(single).run([{ text: 'SELECT 1 AS one' }], { signal: leaving.signal });
      leaving.abort();
      expect(await failure(waiting)).toMatchObject({ code: 'aborted' });
      held.release();
      expect((await mysqlDatabase(single).run([{ text: 'SELECT 1 AS one' }]))[0]?.rows).toEqual([{ one: 1 }]);
      await single.end();
    });

    it('a kill hits nobody else', async () => {
      const database = mysqlDatabase(pool);
      for (let round = 0; round < 30; round++) {
        const leaving = new AbortController();
        const one = database
          .run([{ text: `SELECT * FROM ${table}` }], { signal: leaving.signal })
          .catch(() => undefined);
        if (round % 3 > 0) await new Promise((resolve) => setImmediate(resolve));
        leaving.abort();
        expect((await database.run([{ text: `SELECT id FROM ${table}` }]))[0]?.rows).toHaveLength(4);
        await one;
      }
    });

    it('a connection that the server ends is a typed error that may pass; nothing is written, the pool goes on', async () => {
      const sleep = 'SELECT SLEEP(600) AS two_';
      const two = mysqlPool(2);
      const database = mysqlDatabase(two);
      const waiting = database.run([{ text: `UPDATE ${table} SET t = 'gone'` }, { text: sleep }]);
      waiting.catch(() => undefined);
      await until(async () => (await running(sleep)).length === 1);
      const [thread] = await running(sleep);
      await watcher.run([{ text: `KILL ${thread}` }]);
      expect(await failure(waiting)).toMatchObject({ code: 'database', retryable: true });
      expect(await texts()).toEqual([null, null, null, null]);
      expect((await database.run([{ text: 'SELECT 1 AS one' }]))[0]?.rows).toEqual([{ one: 1 }]);
      await two.end();
    });

    it('a lone statement is killed by an abort, and its connection may be lost, without harm to the pool', async () => {
      const two = mysqlPool(2);
      const database = mysqlDatabase(two);
      const sleep = 'SELECT SLEEP(600) AS three_';
      for (const end of ['abort', 'KILL']) {
        const leaving = new AbortController();
        const waiting = failure(database.run([{ text: sleep }], { signal: leaving.signal }));
        await until(async () => (await running(sleep)).length === 1);
        if (end === 'abort') leaving.abort();
        else await watcher.run([{ text: `KILL ${(await running(sleep))[0]}` }]);
        expect(await waiting).toMatchObject(
          end === 'abort' ? { code: 'aborted' } : { code: 'database', retryable: true },
        );
        await until(async () => (await running(sleep)).length === 0);
        const both = await Promise.all([database.run([{ text: 'SELECT 1 AS one' }]), database.run([{ text: 'DO 1' }])]);
        expect(both[0]?.[0]?.rows).toEqual([{ one: 1 }]);
      }
      await two.end();
    });

    it('a list that is undone by a deadlock is run again, and both lists land whole', async () => {
      const set = (id: number, t: string, comment = '') => ({
        text: `${comment} UPDATE ${table} SET t = ? WHERE id = ?`,
        values: [t, id],
      });
      // Both hold a row of their own before they ask for that of the other: until then each waits for a third.
      const waits = '/* waits */';
      const holder = await pool.getConnection();
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

    it('a lock that is not to be had is an error that is worth another try', async () => {
      const holder = await pool.getConnection();
      await holder.query('BEGIN');
      await holder.query(`UPDATE ${table} SET t = 'held' WHERE id = 1`);
      const text = `SELECT id FROM ${table} WHERE id = 1 FOR UPDATE NOWAIT`;
      const late = await failure(watcher.run([{ text }], { errorCode: 'store_write' }));
      await holder.query('ROLLBACK');
      holder.release();
      expect(late).toMatchObject({ code: 'store_write', retryable: true, details: { errno: expect.any(Number) } });
      expect(late['message']).toContain('another transaction was in the way');
    });

    it('refuses what a column cannot hold, on a server that would store question marks or a part', async () => {
      const lax = mysqlPool(1);
      await lax.query("SET SESSION sql_mode = 'ANSI_QUOTES'");
      await lax.query(`UPDATE ${table} SET l = '😀' WHERE id = 1`);
      expect((await watcher.run([{ text: `SELECT l FROM ${table} WHERE id = 1` }]))[0]?.rows).toEqual([{ l: '?' }]);
      const database = mysqlDatabase(lax);
      const put = (value: string) => [{ text: `UPDATE ${table} SET l = ? WHERE id = 2`, values: [value] }];
      const foreign = await failure(database.run(put('secret 😀')));
      expect(foreign).toMatchObject({ code: 'database', retryable: false, details: { errno: 1366 } });
      expect(foreign['message']).toContain('make it utf8mb4');
      expect(JSON.stringify(foreign)).not.toContain('secret');
      expect(await failure(database.run(put('x'.repeat(21))))).toMatchObject({
        message: expect.stringContaining('longer than its column'),
      });
      await database.run(put('fine'));
      expect((await lax.query('SELECT @@sql_mode AS mode'))[0]).toEqual([{ mode: 'ANSI_QUOTES' }]);
      const [strict] = await database.run([{ text: 'SELECT @@sql_mode AS mode' }]);
      expect(strict?.rows[0]?.['mode']).toContain('STRICT_TRANS_TABLES');
      await lax.end();
    });

    it('refuses a connection that cannot carry every text, and says how to make one', async () => {
      const latin = mysqlPool(1, { charset: 'latin1' });
      const error = await failure(mysqlDatabase(latin).run([{ text: 'SELECT 1' }], { errorCode: 'store_read' }));
      expect(error).toMatchObject({
        code: 'store_read',
        subject: 'charset',
        retryable: false,
        details: { characterSet: 'latin1' },
      });
      expect(error['message']).toContain("charset 'utf8mb4'");
      await latin.end();
    });

    it('gives objects of rows, and exact integers, whatever the pool was told', async () => {
      const odd = mysqlPool(1, { rowsAsArray: true, namedPlaceholders: true, nestTables: true });
      const [found] = await mysqlDatabase(odd).run([
        { text: 'SELECT CAST(9007199254740993 AS SIGNED) AS large, CAST(? AS SIGNED) AS small', values: [7] },
      ]);
      expect(found?.rows).toEqual([{ large: '9007199254740993', small: 7 }]);
      await odd.end();
    });

    it('says what is wrong with the way to the server, without the password', async () => {
      const refused = mysqlPool(1, {
        uri: undefined,
        host: '127.0.0.1',
        port: 1,
        user: 'x',
        password: 'secret',
      } as never);
      const unreachable = await failure(mysqlDatabase(refused).run([]));
      expect(unreachable).toMatchObject({ code: 'database', retryable: true, details: { reason: 'ECONNREFUSED' } });
      const url = new URL(MARIADB_URL);
      url.username = 'nobody';
      url.password = 'secret';
      const stranger = mysqlPool(1, { uri: url.href });
      const denied = await failure(mysqlDatabase(stranger).run([]));
      expect(denied).toMatchObject({ code: 'database', retryable: false });
      expect(denied['message']).toContain('password was refused');
      expect(JSON.stringify([unreachable, denied])).not.toContain('secret');
      await Promise.all([refused.end(), stranger.end()]);
    });

    it('takes no connection, no callbacks, and no other driver', async () => {
      const connection = await createConnection(MARIADB_URL);
      for (const client of [connection, pool.pool, undefined, {}, { getConnection() {}, execute() {}, batch() {} }])
        expect(() => mysqlDatabase(client as never)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
      await connection.end();
    });
  },
);

describe('mysqlError', () => {
  it.each([
    ['ER_LOCK_DEADLOCK', 1213, true],
    ['ER_CON_COUNT_ERROR', 1040, true],
    ['ER_NO_SUCH_TABLE', 1146, false],
    ['ER_NET_PACKET_TOO_LARGE', 1153, false],
    ['UNKNOWN_CODE_PLEASE_REPORT', 9999, false],
  ])('knows of %s whether it passes', (code, errno, retryable) => {
    expect(mysqlError({ code, errno })).toMatchObject({ retryable, details: { mysql: code, errno } });
  });

  it('tells what its caller knows better', () => {
    const faults = { 1146: { fix: 'say initializeSchema', subject: 'table' } };
    const error = mysqlError({ errno: 1146 }, { code: 'store_read', faults });
    expect(error).toMatchObject({
      code: 'store_read',
      subject: 'table',
      message: 'MySQL refused: say initializeSchema',
    });
    expect(mysqlError(error)).toBe(error);
  });
});
