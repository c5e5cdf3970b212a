import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTransaction, sqliteDatabase, sqliteError } from '@vernal/sql';
import Libsql from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import { failure, SQLITE_DRIVERS } from './databases.js';

const folder = mkdtempSync(join(tmpdir(), 'vernal-sql-'));
afterAll(() => rmSync(folder, { recursive: true }));

for (const { name, Database, reason } of SQLITE_DRIVERS) {
  if (Database === undefined) {
    it.skip(`SQLite by ${name} alone (skipped: ${reason})`);
    continue;
  }
  describe(`SQLite by ${name} alone`, () => {
    it('binds one value of every kind: bytes and null are no names', async () => {
      const connection = new Database(':memory:');
      const database = sqliteDatabase(connection);
      for (const value of [Uint8Array.of(1, 2), new Uint8Array(0), null, 'x', 1]) {
        const [found] = await database.run([{ text: 'SELECT ? AS value', values: [value] }]);
        const given = found?.rows[0]?.['value'];
        expect(given instanceof Uint8Array ? Uint8Array.from(given) : given).toEqual(value);
      }
      connection.close();
    });

    it('is one step of a transaction that is open, and undoes only itself', async () => {
      const connection = new Database(':memory:');
      const database = sqliteDatabase(connection);
      connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY); BEGIN; INSERT INTO t VALUES (1)');
      await failure(database.run([{ text: 'INSERT INTO t VALUES (2)' }, { text: 'INSERT INTO t VALUES (1)' }]));
      await database.run([{ text: 'INSERT INTO t VALUES (3)' }]);
      connection.exec('COMMIT');
      expect((await database.run([{ text: 'SELECT id FROM t' }]))[0]?.rows).toEqual([{ id: 1 }, { id: 3 }]);
      connection.close();
    });

    it('says that another connection is writing, which passes, and reads meanwhile', async () => {
      const path = join(folder, `${name.replace(':', '-')}.db`);
      const [first, second] = [new Database(path), new Database(path)];
      first.exec('CREATE TABLE t (id INTEGER)');
      const write = { text: 'INSERT INTO t VALUES (1)' };
      const read = { text: 'SELECT count(*) AS n FROM t' };
      const database = sqliteDatabase(second);
      // Until the first await of each: statements of SQLite run at once.
      const [busy, list, unhindered] = inTransaction(first, () => [
        failure(database.run([write])),
        failure(database.run([write, read])),
        database.run([read]),
      ]);
      const passes = { code: 'database', retryable: true, details: { sqlite: 'SQLITE_BUSY' } };
      expect([await busy, await list]).toEqual([expect.objectContaining(passes), expect.objectContaining(passes)]);
      expect((await unhindered)[0]?.rows).toEqual([{ n: 0 }]);
      expect((await database.run([write, read]))[1]?.rows).toEqual([{ n: 1 }]);
      first.close();
      second.close();
    });
  });
}

describe('sqliteError', () => {
  it('knows a file that cannot be opened, of which libsql gives no code', () => {
    const error = (() => {
      try {
        return new Libsql('/no/such/folder/app.db');
      } catch (thrown) {
        return sqliteError(thrown);
      }
    })();
    expect(error).toMatchObject({ code: 'database', message: expect.stringContaining('check the path') });
  });

  it('tells what its caller knows better, and keeps the words of the driver out', () => {
    const thrown = Object.assign(new Error('no such table: secret'), { code: 'SQLITE_ERROR' });
    const faults = [{ pattern: /no such table/, fix: 'say initializeSchema', subject: 'table' }];
    expect(sqliteError(thrown, { code: 'store_read', faults })).toMatchObject({
      code: 'store_read',
      message: 'SQLite refused: say initializeSchema',
      subject: 'table',
      details: { sqlite: 'SQLITE_ERROR' },
    });
  });
});
