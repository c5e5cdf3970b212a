import { invalidArgument, throwIfAborted, untilAborted } from '@vernal/core';
import { openMysql } from './open-mysql.js';
import { type OpenSqlDatabaseOptions, openSettings } from './open-options.js';
import { openOracle } from './open-oracle.js';
import { openPostgres } from './open-postgres.js';
import { openSqlServer } from './open-sql-server.js';
import { openSqlite } from './open-sqlite.js';
import type { OpenedSqlDatabase } from './opened-database.js';

const OPENERS = {
  'postgres:': openPostgres,
  'postgresql:': openPostgres,
  'mysql:': openMysql,
  'mariadb:': openMysql,
  'sqlite:': openSqlite,
  'file:': openSqlite,
  ':memory:': openSqlite,
  'sqlserver:': openSqlServer,
  'mssql:': openSqlServer,
  'oracle:': openOracle,
} as const;

/**
 * Opens the database that a URL names, with the driver that its scheme asks for and the application has installed: `pg`,
 * `mysql2`, `mssql`, `oracledb`; for SQLite `node:sqlite`, else `libsql`, else `better-sqlite3`. The server is asked once, so that what is
 * wrong with the way to it shows here. Neither the URL nor its password is in an error.
 *
 * @param url - `postgres://user:password@host:5432/name`, `mysql://…`, `mariadb://…`, `sqlserver://…`, `oracle://…/service`,
 * `sqlite:app.db`, `file:///var/app.db` or `:memory:`
 * @throws VernalError `invalid_argument` for a URL or an option that is none; `invalid_state` when the driver is not installed, with the
 * command that installs it; `database` when the server cannot be asked; `aborted` or `timeout` by the signal
 * @example
 * ```ts
 * await using opened = await openSqlDatabase('sqlite:app.db');
 * await opened.database.run([{ text: 'SELECT 1' }]);
 * ```
 */
export async function openSqlDatabase(url: string, options: OpenSqlDatabaseOptions = {}): Promise<OpenedSqlDatabase> {
  const scheme = url === ':memory:' ? url : /^[a-z]+:/i.exec(String(url))?.[0].toLowerCase();
  const open = Object.hasOwn(OPENERS, scheme ?? '') ? OPENERS[scheme as keyof typeof OPENERS] : undefined;
  if (typeof url !== 'string' || open === undefined)
    throw invalidArgument('url', `must begin with one of ${Object.keys(OPENERS).join(', ')}`);
  const settings = openSettings(options);
  throwIfAborted(settings.signal);
  const opening = open(url, settings);
  let opened: OpenedSqlDatabase | undefined;
  try {
    opened = await untilAborted(opening, settings.signal);
    const from = opened.database.dialect === 'oracle' ? ' FROM dual' : '';
    await opened.database.run([{ text: `SELECT 1${from}` }], { signal: settings.signal });
    return opened;
  } catch (error) {
    if (opened === undefined) opening.then((late) => late.close()).catch(() => {});
    else await opened.close().catch(() => {});
    throw error;
  }
}
