import { invalidArgument } from '@vernal/core';
import { type SqliteConnection, sqliteDatabase, sqliteError } from '@vernal/sql';
import { isMissing, missingDriver } from './driver.js';
import type { OpenSettings } from './open-options.js';
import { type OpenedSqlDatabase, openedDatabase } from './opened-database.js';
import { decoded } from './server-url.js';

interface ClosedByCaller extends SqliteConnection {
  close(): unknown;
}
type Connect = new (path: string) => ClosedByCaller;

export async function openSqlite(url: string, { busyTimeoutMs }: OpenSettings): Promise<OpenedSqlDatabase> {
  const path = pathOf(url);
  const Database = await connect();
  let connection: ClosedByCaller | undefined;
  try {
    connection = new Database(path);
    // Readers and a writer then do not wait for each other.
    connection.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    connection.exec('PRAGMA journal_mode = WAL');
  } catch (error) {
    connection?.close();
    throw sqliteError(error);
  }
  const opened = connection;
  return openedDatabase(sqliteDatabase(opened), () => opened.close());
}

function pathOf(url: string): string {
  if (url === ':memory:') return url;
  const rest = url.replace(/^[a-z]+:/i, '').replace(/^\/\/(?:localhost)?(?=\/)/, '');
  if (rest === ':memory:') return rest;
  const path = decoded(rest)?.replace(/^\/(?=[a-z]:)/i, '');
  if (path === undefined || path.startsWith('//') || /[?#\0]/.test(rest))
    throw invalidArgument(
      'url',
      "must be 'sqlite:' or 'file:' and the path of a file, without parameters, or ':memory:'",
    );
  return path;
}

/** What Node.js has itself comes first, for nothing has to be installed. */
async function connect(): Promise<Connect> {
  const own = globalThis.process?.getBuiltinModule?.('node:sqlite') as { readonly DatabaseSync: Connect } | undefined;
  if (own !== undefined) return own.DatabaseSync;
  for (const [name, load] of DRIVERS) {
    try {
      return (await load()).default as Connect;
    } catch (error) {
      if (!isMissing(error, name)) throw error;
    }
  }
  throw missingDriver('libsql', 'npm install libsql, or use Node.js 22.13 or newer');
}

/** Compiles when it is installed, so that not even an optional dependency may bring it. */
const COMPILED: string = 'better-sqlite3';

const DRIVERS: readonly (readonly [name: string, load: () => Promise<{ readonly default: unknown }>])[] = [
  ['libsql', () => import('libsql')],
  [COMPILED, () => import(COMPILED)],
];
