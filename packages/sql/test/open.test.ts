import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openSqlDatabase } from '@vernal/sql/open';
import { rolldown } from 'rolldown';
import { afterAll, describe, expect, it } from 'vitest';
import { failure, MARIADB_REASON, MARIADB_URL, POSTGRES_REASON, POSTGRES_URL, until } from './databases.js';

const folder = mkdtempSync(join(tmpdir(), 'vernal-sql-open-'));
afterAll(() => rmSync(folder, { recursive: true }));

const one = [{ text: 'SELECT 1 AS one' }];

describe('openSqlDatabase', () => {
  it.skipIf(POSTGRES_REASON !== undefined)(
    `opens PostgreSQL, and closes every connection, once${POSTGRES_REASON ? ` (skipped: ${POSTGRES_REASON})` : ''}`,
    async () => {
      const url = new URL(POSTGRES_URL);
      url.protocol = 'postgresql:';
      url.searchParams.set('application_name', 'vernal-open-test');
      const mine = [
        { text: 'SELECT pid FROM pg_stat_activity WHERE application_name = ?', values: ['vernal-open-test'] },
      ];
      await using watcher = await openSqlDatabase(POSTGRES_URL, { poolSize: 1 });
      const opened = await openSqlDatabase(url.href);
      expect(opened.database).toMatchObject({ dialect: 'postgres', isEmbedded: false });
      expect((await watcher.database.run(mine))[0]?.rows.length).toBeGreaterThan(0);
      await Promise.all([opened.close(), opened.close(), opened[Symbol.asyncDispose]()]);
      await until(async () => (await watcher.database.run(mine))[0]?.rows.length === 0);
      expect(await failure(opened.database.run(one))).toMatchObject({ code: 'database', retryable: false });
    },
  );

  it.skipIf(MARIADB_REASON !== undefined)(
    `opens MariaDB by both of its schemes${MARIADB_REASON ? ` (skipped: ${MARIADB_REASON})` : ''}`,
    async () => {
      for (const scheme of ['mysql:', 'mariadb:']) {
        const opened = await openSqlDatabase(MARIADB_URL.replace(/^[a-z]+:/, scheme));
        expect(opened.database.dialect).toBe('mysql');
        const [found] = await opened.database.run([{ text: 'SELECT DATABASE() AS name' }]);
        expect(found?.rows[0]?.['name']).toBe(new URL(MARIADB_URL.replace('mariadb:', 'mysql:')).pathname.slice(1));
        await opened.close();
        expect(await failure(opened.database.run(one))).toMatchObject({ code: 'database', retryable: false });
      }
    },
  );

  it('opens files of SQLite, with a log of what is written and time to wait', async () => {
    const path = join(folder, 'with space.db');
    for (const url of [`sqlite:${path.replace(' ', '%20')}`, pathToFileURL(path).href, `sqlite://${path}`]) {
      await using opened = await openSqlDatabase(url, { busyTimeoutMs: 1_234 });
      expect(opened.database).toMatchObject({ dialect: 'sqlite', isEmbedded: true });
      const [mode, timeout] = await opened.database.run([
        { text: 'PRAGMA journal_mode' },
        { text: 'PRAGMA busy_timeout' },
        { text: 'CREATE TABLE IF NOT EXISTS t (id INTEGER)' },
        { text: 'INSERT INTO t VALUES (1)' },
      ]);
      expect([Object.values(mode?.rows[0] ?? {}), Object.values(timeout?.rows[0] ?? {})]).toEqual([['wal'], [1_234]]);
    }
    await using again = await openSqlDatabase(`file:${path}`);
    expect((await again.database.run([{ text: 'SELECT count(*) AS n FROM t' }]))[0]?.rows).toEqual([{ n: 3 }]);
    await using memory = await openSqlDatabase(':memory:');
    expect(await failure(memory.database.run([{ text: 'SELECT * FROM t' }]))).toMatchObject({ code: 'database' });
  });

  it('closes a file', async () => {
    const opened = await openSqlDatabase('sqlite::memory:');
    await opened.close();
    await opened.close();
    expect(await failure(opened.database.run(one))).toMatchObject({ message: expect.stringContaining('closed') });
    expect(await failure(openSqlDatabase(`sqlite:${join(folder, 'nowhere', 'x.db')}`))).toMatchObject({
      code: 'database',
    });
  });

  it.each([
    ['postgres://someone:s%40cret@127.0.0.1:1/x', 'ECONNREFUSED'],
    ['mysql://someone:s%40cret@127.0.0.1:1/x', 'ECONNREFUSED'],
    ['sqlserver://someone:s%40cret@127.0.0.1:1/x?encrypt=false', 'ESOCKET'],
    ['mssql://someone:s%40cret@127.0.0.1:1/x', 'ESOCKET'],
    ['oracle://someone:s%40cret@127.0.0.1:1/none', 'NJS-503'],
  ])('says that nobody answers at %s, without the password', async (url, reason) => {
    const error = await failure(openSqlDatabase(url));
    expect(error).toMatchObject({ code: 'database', retryable: true });
    expect(Object.values(Object(error['details']))).toEqual([reason]);
    expect(JSON.stringify([error, String(error['stack']), error['cause']])).not.toMatch(/s@cret|s%40cret|someone/);
  });

  it.each([
    '',
    undefined,
    'redis://localhost',
    'app.db',
    'mysql:',
    'mysql://user:s@ec/ret@:x/',
    'mysql://localhost/x?multipleStatements=true',
    'sqlserver://localhost/x?encrypt=maybe',
    'oracle://localhost',
    'postgres://user:100%@localhost/x',
    'sqlite:',
    'sqlite:app.db?mode=ro',
    'file://elsewhere/app.db',
  ])('refuses %j, without its words', async (url) => {
    const error = await failure(openSqlDatabase(url as string));
    expect(error).toMatchObject({ code: 'invalid_argument', subject: 'url' });
    expect(JSON.stringify([error, String(error['stack'])])).not.toMatch(/s@ec|100%|elsewhere/);
  });

  it('refuses options that are none', async () => {
    for (const options of [{ poolsize: 1 }, { poolSize: 0 }, { poolSize: 1.5 }, { busyTimeoutMs: -1 }])
      expect(await failure(openSqlDatabase(':memory:', options))).toMatchObject({
        code: 'invalid_argument',
        subject: Object.keys(options)[0],
      });
  });

  it('ends by its signal', async () => {
    const error = await failure(openSqlDatabase(':memory:', { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: 'aborted' });
    const leaving = new AbortController();
    const opening = openSqlDatabase('mssql://someone@127.0.0.1:1/x', { signal: leaving.signal });
    leaving.abort();
    expect(await failure(opening)).toMatchObject({ code: 'aborted' });
  });

  it('names the command that installs a driver, for each that is missing', { timeout: 180_000 }, async () => {
    const file = join(folder, 'open.mjs');
    const bundle = await rolldown({
      input: fileURLToPath(new URL('../src/open.ts', import.meta.url)),
      platform: 'node',
      resolve: { conditionNames: ['@vernal/source', 'node', 'import', 'default'] },
      external: [/^node:/, 'pg', 'mysql2/promise', 'mssql', 'oracledb', 'libsql', 'better-sqlite3'],
    });
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    await bundle.close();
    const program = `
      const { openSqlDatabase } = await import(${JSON.stringify(pathToFileURL(file).href)});
      process.getBuiltinModule = () => undefined;
      for (const url of ['postgres://a', 'mysql://a', 'mssql://a', 'oracle://a/b', 'sqlite:a.db'])
        await openSqlDatabase(url).catch(({ code, subject, details }) => console.log(code, subject, details.command));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
    });
    expect(stdout.trim().split('\n')).toEqual([
      'invalid_state pg npm install pg',
      'invalid_state mysql2 npm install mysql2',
      'invalid_state mssql npm install mssql',
      'invalid_state oracledb npm install oracledb',
      'invalid_state libsql npm install libsql, or use Node.js 22.13 or newer',
    ]);
  });
});
