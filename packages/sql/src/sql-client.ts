import { invalidArgument } from '@vernal/core';
import { mysqlDatabase } from './mysql/mysql-database.js';
import type { MysqlPool } from './mysql/mysql-pool.js';
import { oracleDatabase } from './oracle/oracle-database.js';
import type { OraclePool } from './oracle/oracle-pool.js';
import type { PgLite, PgPool } from './postgres/pg-pool.js';
import { postgresDatabase } from './postgres/postgres-database.js';
import type { SqlDatabase } from './sql-database.js';
import type { SqliteConnection } from './sqlite/sqlite-connection.js';
import { sqliteDatabase } from './sqlite/sqlite-database.js';
import { sqlServerDatabase } from './sqlserver/sql-server-database.js';
import type { SqlServerPool } from './sqlserver/sql-server-pool.js';

/** What an application has: a pool or a connection of one of the drivers, or a database that was made of one already. */
export type SqlClient = SqlDatabase | PgPool | PgLite | MysqlPool | SqlServerPool | OraclePool | SqliteConnection;

const CLIENTS = [
  'a Pool of pg',
  'a PGlite',
  'a Pool of mysql2/promise',
  'a ConnectionPool of mssql',
  'a Pool of oracledb',
  'a Database of better-sqlite3 or libsql',
  'a DatabaseSync of node:sqlite',
  'or what one of the functions of @vernal/sql gives',
].join(', ');

/**
 * The database of whatever client it is given, which is told by its methods. For packages that take any of them as one option.
 *
 * @throws VernalError `invalid_argument`, with the list of what can be given, for anything else
 * @example
 * ```ts
 * const database = sqlDatabase(new Pool({ connectionString }));
 * ```
 */
export function sqlDatabase(client: SqlClient): SqlDatabase {
  const has = (...names: readonly string[]): boolean =>
    names.every((name) => typeof Reflect.get(Object(client), name) === 'function');
  if (has('run') && typeof Reflect.get(Object(client), 'dialect') === 'string') return client as SqlDatabase;
  if (has('prepare', 'exec')) return sqliteDatabase(client as SqliteConnection);
  if (has('getConnection', 'execute')) return mysqlDatabase(client as MysqlPool);
  if (has('getConnection') && Reflect.has(Object(client), 'connectionsInUse'))
    return oracleDatabase(client as OraclePool);
  if (has('transaction', 'request')) return sqlServerDatabase(client as SqlServerPool);
  if (has('transaction', 'query')) return postgresDatabase(client as PgLite);
  // A Client of pg can be connected only once, and is one connection.
  if (has('connect') && !Reflect.has(Object(client), 'connectionParameters')) return postgresDatabase(client as PgPool);
  throw invalidArgument('client', `is none of these: ${CLIENTS}`);
}
