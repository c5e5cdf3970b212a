import { createRequire } from 'node:module';
import type { SqliteDatabase } from '@vernal/vector-store-sqlite';
import Libsql from 'libsql';
import { getLoadablePath } from 'sqlite-vec';

/** A connection as the tests use it. */
export interface TestDatabase extends SqliteDatabase {
  loadExtension(path: string): unknown;
  close(): unknown;
}

/** A driver, or the reason why it is not here. */
export interface Driver {
  readonly name: string;
  readonly Database: (new (path: string, options?: object) => TestDatabase) | undefined;
  readonly reason: string;
}

/** Compiles when it is installed, so that the workspace does not bring it: `NODE_PATH` may say where it is. */
function betterSqlite3(): Driver['Database'] {
  const name = 'better-sqlite3';
  try {
    return createRequire(import.meta.url)(name) as Driver['Database'];
  } catch {
    return undefined;
  }
}

function nodeSqlite(): Driver['Database'] {
  const found = process.getBuiltinModule('node:sqlite') as { readonly DatabaseSync: Driver['Database'] } | undefined;
  return found?.DatabaseSync;
}

/** One a process: sqlite-vec keeps the functions of the SQLite that loaded it last, and would call them for the others. */
export const DRIVER_VARIABLE = 'VERNAL_TEST_SQLITE_DRIVER';

export const DRIVER: string = process.env[DRIVER_VARIABLE] ?? 'libsql';

/** The drivers that have a process of their own. */
export const OTHER_DRIVERS: readonly Driver[] = [
  {
    name: 'node:sqlite',
    Database: nodeSqlite(),
    reason: `Node.js ${process.versions.node} has no node:sqlite`,
  },
  { name: 'better-sqlite3', Database: betterSqlite3(), reason: 'better-sqlite3 is not installed' },
];

/** A connection of this process's driver. */
export function open(path: string = ':memory:'): TestDatabase {
  if (DRIVER === 'libsql') return new Libsql(path);
  const found = OTHER_DRIVERS.find(({ name }) => name === DRIVER);
  if (found?.Database === undefined) throw new Error(found?.reason ?? `there is no driver ${DRIVER}`);
  return new found.Database(path, { allowExtension: true });
}

/** The same with sqlite-vec. */
export function openWithVectors(path?: string): TestDatabase {
  const database = open(path);
  database.loadExtension(getLoadablePath());
  return database;
}
