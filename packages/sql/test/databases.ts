import { createRequire } from 'node:module';
import { PGlite } from '@electric-sql/pglite';
import { mysqlDatabase, postgresDatabase, type SqlDatabase, type SqliteConnection, sqliteDatabase } from '@vernal/sql';
import Libsql from 'libsql';
import { createPool, type Pool as MysqlPool, type PoolOptions } from 'mysql2/promise';
import { Pool } from 'pg';
import { engine } from '../../../scripts/services/engine.mjs';

/** A database that a test opens; whoever opens it closes it. */
export interface OpenDatabase {
  readonly database: SqlDatabase;
  close(): Promise<void>;
}

/** A way to a database, or the reason why it is not here. */
export type TestDatabase = { readonly name: string } & (
  | { readonly open: () => OpenDatabase; readonly reason?: undefined }
  | { readonly reason: string; readonly open?: undefined }
);

type Constructor = new (path: string) => SqliteConnection & { close(): unknown };

/** Compiles when it is installed, so that the workspace does not bring it: `NODE_PATH` may say where it is. */
function betterSqlite3(): Constructor | undefined {
  const name = 'better-sqlite3';
  try {
    return createRequire(import.meta.url)(name) as Constructor;
  } catch {
    return undefined;
  }
}

function nodeSqlite(): Constructor | undefined {
  const found = process.getBuiltinModule('node:sqlite') as { readonly DatabaseSync: Constructor } | undefined;
  return found?.DatabaseSync;
}

/** The drivers of SQLite that are here, and what is said of those that are not. */
export const SQLITE_DRIVERS: readonly {
  readonly name: string;
  readonly Database: Constructor | undefined;
  readonly reason: string;
}[] = [
  { name: 'libsql', Database: Libsql as Constructor, reason: '' },
  { name: 'node:sqlite', Database: nodeSqlite(), reason: `Node.js ${process.versions.node} has no node:sqlite` },
  { name: 'better-sqlite3', Database: betterSqlite3(), reason: 'better-sqlite3 is not installed' },
];

const postgres = engine('postgres');
const mariadb = engine('mariadb');

export const POSTGRES_REASON: string | undefined = 'reason' in postgres ? postgres.reason : undefined;
export const MARIADB_REASON: string | undefined = 'reason' in mariadb ? mariadb.reason : undefined;
export const POSTGRES_URL: string = 'url' in postgres ? postgres.url : '';
export const MARIADB_URL: string = 'url' in mariadb ? mariadb.url : '';

export function postgresPool(max: number, more: object = {}): Pool {
  return new Pool({ connectionString: POSTGRES_URL, max, ...more });
}

export function mysqlPool(connectionLimit: number, more: PoolOptions = {}): MysqlPool {
  return createPool({ uri: MARIADB_URL, connectionLimit, ...more });
}

export const DATABASES: readonly TestDatabase[] = [
  ...SQLITE_DRIVERS.map(({ name, Database, reason }): TestDatabase => {
    if (Database === undefined) return { name: `SQLite by ${name}`, reason };
    const open = (): OpenDatabase => {
      const connection = new Database(':memory:');
      return { database: sqliteDatabase(connection), close: async () => void connection.close() };
    };
    return { name: `SQLite by ${name}`, open };
  }),
  {
    name: 'PGlite',
    open: () => {
      const lite = new PGlite();
      return { database: postgresDatabase(lite), close: () => lite.close() };
    },
  },
  POSTGRES_REASON === undefined
    ? {
        name: 'PostgreSQL',
        open: () => {
          const pool = postgresPool(4);
          return { database: postgresDatabase(pool), close: () => pool.end() };
        },
      }
    : { name: 'PostgreSQL', reason: POSTGRES_REASON },
  MARIADB_REASON === undefined
    ? {
        name: 'MariaDB',
        open: () => {
          const pool = mysqlPool(4);
          return { database: mysqlDatabase(pool), close: () => pool.end() };
        },
      }
    : { name: 'MariaDB', reason: MARIADB_REASON },
];

let count = 0;

/** No two runs have the same. */
export function tableName(): string {
  return `vernal sql ${process.pid} ${Math.random().toString(36).slice(2, 8)} ${++count}`;
}

/** The typed error of a promise that must reject. */
export async function failure(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return Object(error);
  }
  throw new Error('did not reject');
}

/** Looks again until the server says so: the moment is the server's. */
export async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise((resolve) => setImmediate(resolve));
}
