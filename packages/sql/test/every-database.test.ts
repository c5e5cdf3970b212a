import type { SqlDatabase, SqlValue } from '@vernal/sql';
import { sqlIdentifier } from '@vernal/sql';
import { afterAll, describe, expect, it } from 'vitest';
import { DATABASES, failure, type OpenDatabase, tableName } from './databases.js';

const TYPES = {
  sqlite: { text: 'TEXT', key: 'TEXT', bytes: 'BLOB', real: 'REAL' },
  postgres: { text: 'TEXT', key: 'TEXT', bytes: 'BYTEA', real: 'DOUBLE PRECISION' },
  mysql: {
    text: 'LONGTEXT CHARACTER SET utf8mb4',
    key: 'VARCHAR(190) CHARACTER SET utf8mb4',
    bytes: 'LONGBLOB',
    real: 'DOUBLE',
  },
} as const;

for (const { name, open, reason } of DATABASES) {
  if (open === undefined) {
    it.skip(`${name} (skipped: ${reason})`);
    continue;
  }
  describe(name, () => {
    let opened: OpenDatabase | undefined;
    afterAll(() => opened?.close());

    const temporary = async (
      work: (database: SqlDatabase, table: string, insert: typeof insertOf) => Promise<void>,
    ): Promise<void> => {
      opened ??= open();
      const { database } = opened;
      const table = sqlIdentifier(database.dialect, tableName(), 'table');
      const types = TYPES[database.dialect as keyof typeof TYPES];
      await database.run([
        {
          text: `CREATE TABLE ${table} (id ${types.key} PRIMARY KEY, n INTEGER, t ${types.text}, b ${types.bytes}, big BIGINT, r ${types.real})`,
        },
      ]);
      try {
        await work(database, table, insertOf);
      } finally {
        await database.run([{ text: `DROP TABLE ${table}` }]);
      }
    };
    const insertOf = (table: string, id: string | null, n: number | null) => ({
      text: `INSERT INTO ${table} (id, n) VALUES (?, ?)`,
      values: [id, n],
    });
    const ids = async (database: SqlDatabase, table: string): Promise<unknown[]> =>
      ((await database.run([{ text: `SELECT id FROM ${table} ORDER BY id` }]))[0]?.rows ?? []).map((row) => row['id']);

    it('binds values, and gives rows and how many were changed', () =>
      temporary(async (database, table, insert) => {
        expect(name.toLowerCase()).toContain(
          database.dialect === 'mysql' ? 'mariadb' : database.isEmbedded && name === 'PGlite' ? 'pg' : database.dialect,
        );
        expect(database.isEmbedded).toBe(!/^(PostgreSQL|MariaDB)$/.test(name));
        const hostile = "'; DROP TABLE x; -- ? $1 \\' \\";
        const [first, second, all, changed, same, gone] = await database.run([
          insert(table, hostile, 1),
          { text: `INSERT INTO ${table} (id, n) VALUES (?, ?) RETURNING id`, values: ['b', null] },
          { text: `SELECT id, n FROM ${table} ORDER BY n DESC` },
          { text: `UPDATE ${table} SET n = 3` },
          { text: `UPDATE ${table} SET n = ?`, values: [3] },
          { text: `DELETE FROM ${table} WHERE id = ?`, values: ['nobody'] },
        ]);
        expect(first).toEqual({ rows: [], changes: 1 });
        expect(second?.rows).toEqual([{ id: 'b' }]);
        expect(new Set(all?.rows)).toEqual(
          new Set([
            { id: hostile, n: 1 },
            { id: 'b', n: null },
          ]),
        );
        // A row that has the value already counts: it was found.
        expect([changed?.changes, same?.changes, gone?.changes]).toEqual([2, 2, 0]);
      }));

    it('gives values of every kind back as they were', () =>
      temporary(async (database, table) => {
        const large = 'ä'.repeat(300_000);
        const kinds: readonly (readonly ['n' | 't' | 'b' | 'r' | 'big', SqlValue])[] = [
          ['t', ''],
          ['t', '👩‍👩‍👧‍👦 é é ﷽ 日本語'],
          ['t', '\\ \' " ` \r\n\t % _'],
          ['t', '12'],
          ['t', large],
          ['t', null],
          ['n', 0],
          ['n', -1],
          ['n', 2_147_483_647],
          ['n', null],
          ['r', 0.1],
          ['r', -1.5e300],
          ['r', 5e-324],
          ['b', Uint8Array.of(0, 255, 128, 39, 92, 0)],
          ['b', new Uint8Array(0)],
          ['b', new Uint8Array(100_000).fill(200).subarray(7)],
          ['b', null],
        ];
        await database.run(
          kinds.map(([column, value], index) => ({
            text: `INSERT INTO ${table} (id, ${column}) VALUES (?, ?)`,
            values: [String(index), value],
          })),
        );
        for (const [index, [column, value]] of kinds.entries()) {
          const [found] = await database.run([
            { text: `SELECT ${column} AS value FROM ${table} WHERE id = ?`, values: [String(index)] },
          ]);
          const given = found?.rows[0]?.['value'];
          if (value instanceof Uint8Array) {
            expect(given).toBeInstanceOf(Uint8Array);
            expect(Buffer.from(given as Uint8Array).equals(Buffer.from(value))).toBe(true);
          } else expect(given, `${index}`).toBe(value);
        }
      }));

    it('takes integers up to the safe ones, in columns of 64 bits and for LIMIT', () =>
      temporary(async (database, table) => {
        const largest = Number.MAX_SAFE_INTEGER;
        await database.run(
          ['a', 'b', 'c'].map((id, index) => ({
            text: `INSERT INTO ${table} (id, big) VALUES (?, ?)`,
            values: [id, largest - index],
          })),
        );
        const [found, few] = await database.run([
          { text: `SELECT id, big FROM ${table} WHERE big >= ? ORDER BY big`, values: [largest - 1] },
          { text: `SELECT id FROM ${table} ORDER BY id LIMIT ? OFFSET ?`, values: [1, 1] },
        ]);
        expect(found?.rows.map((row) => [row['id'], Number(row['big'])])).toEqual([
          ['b', largest - 1],
          ['a', largest],
        ]);
        expect(few?.rows).toEqual([{ id: 'b' }]);
      }));

    it('refuses what is no value, before anything is run', () =>
      temporary(async (database, table, insert) => {
        const text = `INSERT INTO ${table} (id, n) VALUES (?, ?)`;
        for (const values of [
          ['a'],
          ['a', 1, 2],
          ['a', Number.NaN],
          ['a', undefined],
          ['a', true],
          ['a', 1n],
          ['a', new Date()],
          ['a', {}],
          ['half \ud800', 1],
          ['a\0b', 1],
          'ab',
        ]) {
          const error = await failure(database.run([insert(table, 'first', 1), { text, values: values as never }]));
          expect(error).toMatchObject({ code: 'invalid_argument', subject: expect.stringContaining('statements[1]') });
        }
        for (const nothing of [undefined, 'SELECT 1', [undefined], [{ text: ' ' }], [{}]])
          expect(await failure(database.run(nothing as never))).toMatchObject({ code: 'invalid_argument' });
        expect(await ids(database, table)).toEqual([]);
      }));

    it('runs all of a list or nothing of it, and tells what the engine says without the values', () =>
      temporary(async (database, table, insert) => {
        await database.run([insert(table, 'a', 1)]);
        const error = await failure(
          database.run([insert(table, 'secret', 2), insert(table, 'a', 3), insert(table, 'c', 4)]),
        );
        expect(error).toMatchObject({ code: 'database', retryable: false, details: expect.anything() });
        expect(error['message']).toContain('a row with the same key is there already');
        expect(JSON.stringify([error, error['stack'], String(error['cause'])])).not.toMatch(/secret|'a'/);
        expect(await ids(database, table)).toEqual(['a']);
        expect(await database.run([])).toEqual([]);
      }));

    it('says what is missing, under the code that the caller asks for', async () => {
      opened ??= open();
      const { database } = opened;
      const gone = database.run([{ text: 'SELECT * FROM vernal_nowhere' }], { errorCode: 'store_read' });
      await expect(gone).rejects.toMatchObject({
        code: 'store_read',
        message: expect.stringContaining('table does not exist'),
      });
      await temporary(async (_, table) => {
        const column = database.run([{ text: `SELECT absent FROM ${table}` }]);
        await expect(column).rejects.toMatchObject({ code: 'database', message: expect.stringContaining('columns') });
      });
      await expect(database.run([{ text: 'SELEKT 1' }])).rejects.toMatchObject({ code: 'database', retryable: false });
    });

    it('keeps lists apart that are run at the same time', () =>
      temporary(async (database, table, insert) => {
        await database.run([insert(table, 'a', 0)]);
        const add = [{ text: `UPDATE ${table} SET n = n + 1 WHERE id = ?`, values: ['a'] }];
        await Promise.all(Array.from({ length: 40 }, () => database.run([...add, ...add])));
        expect((await database.run([{ text: `SELECT n FROM ${table}` }]))[0]?.rows).toEqual([{ n: 80 }]);
      }));

    it('does nothing for a signal that has fired', () =>
      temporary(async (database, table, insert) => {
        const aborted = database.run([insert(table, 'a', 1)], {
          signal: AbortSignal.abort(),
          errorCode: 'store_write',
        });
        await expect(aborted).rejects.toMatchObject({ code: 'aborted' });
        expect(await ids(database, table)).toEqual([]);
      }));

    it('says that what it was given is closed', async () => {
      const { database, close } = open();
      await database.run([{ text: 'SELECT 1 AS one' }]);
      await close();
      const error = await failure(database.run([{ text: 'SELECT 1 AS one' }]));
      expect(error).toMatchObject({ code: 'database', retryable: false });
      expect(error['message']).toMatch(/was ended|is closed/);
    });
  });
}
