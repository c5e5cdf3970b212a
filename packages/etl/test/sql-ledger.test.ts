import { PGlite } from '@electric-sql/pglite';
import { SqlIngestLedger } from '@vernal/etl/sql';
import { postgresDatabase, sqliteDatabase } from '@vernal/sql';
import { describeIngestLedger, vitestRunner } from '@vernal/testing';
import Libsql from 'libsql';
import { Pool } from 'pg';
import * as vitest from 'vitest';
import { afterAll, describe, expect, it } from 'vitest';
import { engine } from '../../../scripts/services/engine.mjs';

const runner = vitestRunner(vitest);
const sqlite = new Libsql(':memory:');
const lite = new PGlite();
const server = engine('postgres');
const pool = 'url' in server ? new Pool({ connectionString: server.url, max: 4 }) : undefined;
const tables = new Set<string>();
afterAll(async () => {
  for (const table of tables) await pool?.query(`DROP TABLE IF EXISTS ${table}`);
  await pool?.end();
  await lite.close();
  sqlite.close();
});

describeIngestLedger(
  'SqlIngestLedger on SQLite',
  ({ namespace, scope }) => ({
    subject: new SqlIngestLedger(sqliteDatabase(sqlite), { table: namespace, scope, initializeSchema: 'create' }),
  }),
  { runner },
);

describeIngestLedger(
  'SqlIngestLedger on PGlite',
  ({ namespace, scope }) => ({
    subject: new SqlIngestLedger(postgresDatabase(lite), { table: namespace, scope, initializeSchema: 'create' }),
  }),
  { runner },
);

if (pool === undefined) it.skip(`SqlIngestLedger on PostgreSQL: ${'reason' in server ? server.reason : ''}`);
else
  describeIngestLedger(
    'SqlIngestLedger on PostgreSQL',
    ({ namespace, scope }) => {
      tables.add(namespace);
      return {
        subject: new SqlIngestLedger(postgresDatabase(pool), { table: namespace, scope, initializeSchema: 'create' }),
      };
    },
    { runner },
  );

const reason = 'reason' in server ? ` (skipped: ${server.reason})` : '';
describe('SqlIngestLedger', () => {
  it('makes no table unless it is told to, and says what to do', async () => {
    const ledger = new SqlIngestLedger(sqliteDatabase(sqlite), { table: 'not made' });
    await expect(ledger.get('a')).rejects.toMatchObject({
      code: 'database',
      message: expect.stringContaining('create it'),
    });
  });

  it('tries again to make its table when that failed', async () => {
    const ledger = new SqlIngestLedger(sqliteDatabase(sqlite), { schema: 'later', initializeSchema: 'create' });
    await expect(ledger.get('a')).rejects.toMatchObject({ code: 'database' });
    sqlite.exec("ATTACH ':memory:' AS later");
    expect(await ledger.put({ source: 'a', stale: [] }, undefined)).toBeDefined();
    expect(sqlite.prepare('SELECT source FROM later.vernal_ingest_ledger').all()).toEqual([{ source: 'a' }]);
  });

  it.runIf(pool !== undefined)(`is made once by many that start at the same time${reason}`, async () => {
    tables.add('vernal_ledger_made_once');
    const options = { table: 'vernal_ledger_made_once', initializeSchema: 'create' as const };
    const many = Array.from({ length: 8 }, () => new SqlIngestLedger(postgresDatabase(pool as Pool), options));
    const puts = await Promise.all(many.map((ledger) => ledger.put({ source: 'a', stale: [] }, undefined)));
    expect(puts.filter((revision) => revision !== undefined)).toHaveLength(1);
  });

  it('refuses what no database keeps, before it is asked', async () => {
    const ledger = new SqlIngestLedger(sqliteDatabase(sqlite), { initializeSchema: 'create' });
    for (const source of ['a\0b', '\ud800'])
      await expect(ledger.put({ source, stale: [] }, undefined)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(() => new SqlIngestLedger({} as never)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    expect(() => new SqlIngestLedger(sqliteDatabase(sqlite), { table: 'a\0' })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'table' }),
    );
  });
});
