import { PGlite } from '@electric-sql/pglite';
import { sqlDatabase } from '@vernal/sql';
import { createPool as createCallbackPool } from 'mysql2';
import { createPool } from 'mysql2/promise';
import { Client, Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { SQLITE_DRIVERS } from './databases.js';

describe('sqlDatabase', () => {
  it('knows the pools by their methods', async () => {
    const [postgres, mysql, lite] = [new Pool(), createPool('mysql://localhost/x'), new PGlite()];
    expect(sqlDatabase(postgres)).toMatchObject({ dialect: 'postgres', isEmbedded: false });
    expect(sqlDatabase(mysql)).toMatchObject({ dialect: 'mysql', isEmbedded: false });
    const embedded = sqlDatabase(lite);
    expect(embedded).toMatchObject({ dialect: 'postgres', isEmbedded: true });
    expect((await embedded.run([{ text: 'SELECT ?::int AS n', values: [1] }]))[0]?.rows).toEqual([{ n: 1 }]);
    expect(sqlDatabase(embedded)).toBe(embedded);
    await Promise.all([postgres.end(), mysql.end(), lite.close()]);
  });

  for (const { name, Database, reason } of SQLITE_DRIVERS)
    it.skipIf(Database === undefined)(`knows a connection of ${name}${reason ? ` (skipped: ${reason})` : ''}`, () => {
      if (Database === undefined) return;
      const connection = new Database(':memory:');
      expect(sqlDatabase(connection)).toMatchObject({ dialect: 'sqlite', isEmbedded: true });
      connection.close();
    });

  it('says what it takes to whoever gives something else', () => {
    for (const client of [undefined, null, {}, 'postgres://x', new Client(), { run() {} }, { connect: true }])
      expect(() => sqlDatabase(client as never)).toThrow(
        expect.objectContaining({
          code: 'invalid_argument',
          subject: 'client',
          message: expect.stringMatching(/Pool of pg.*PGlite.*mysql2.*libsql/),
        }),
      );
    const callbacks = createCallbackPool('mysql://localhost/x');
    expect(() => sqlDatabase(callbacks as never)).toThrow(/promise\(\)/);
    callbacks.end();
  });
});
