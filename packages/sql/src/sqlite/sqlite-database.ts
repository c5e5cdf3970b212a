import { invalidArgument, throwIfAborted } from '@vernal/core';
import { type BoundStatement, boundStatements } from '../bound-statement.js';
import { plainRows } from '../plain-row.js';
import type { SqlDatabase, SqlResult } from '../sql-database.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { sqliteError } from './sqlite-error.js';
import { inTransaction } from './sqlite-transaction.js';

/** Drivers have two methods for statements, and some refuse the wrong one. */
const GIVES_ROWS = /^\s*(?:select|with|pragma)\b|\breturning\b/i;

const READS = /^\s*select\b/i;

/**
 * SQLite through a synchronous driver: `better-sqlite3`, `node:sqlite`, `libsql`. The statements of one list run without a pause, so an
 * abort can only come before them.
 *
 * @throws VernalError `invalid_argument` for what has no prepare() and exec()
 * @example
 * ```ts
 * const database = sqliteDatabase(new DatabaseSync('app.db'));
 * ```
 */
export function sqliteDatabase(connection: SqliteConnection): SqlDatabase {
  if (typeof connection?.prepare !== 'function' || typeof connection.exec !== 'function')
    throw invalidArgument(
      'connection',
      'pass a Database of better-sqlite3 or libsql, or a DatabaseSync of node:sqlite',
    );
  return {
    dialect: 'sqlite',
    isEmbedded: true,
    async run(statements, context) {
      const bound = boundStatements(statements);
      throwIfAborted(context?.signal);
      try {
        const all = (): SqlResult[] => bound.map((statement) => resultOf(connection, statement));
        // What only reads does not wait for those who write. A lone write could, too; but libsql keeps the locks of one that failed.
        return bound.length === 1 && READS.test(bound[0]?.text ?? '') ? all() : inTransaction(connection, all);
      } catch (error) {
        throw sqliteError(error, { code: context?.errorCode });
      }
    },
  };
}

function resultOf(connection: SqliteConnection, { text, values }: BoundStatement): SqlResult {
  const prepared = connection.prepare(text);
  // libsql takes one value that is an object for names and their values, and ends the process; node:sqlite takes no list.
  const given = typeof Reflect.get(prepared, 'raw') === 'function' ? [values as never] : values;
  if (!GIVES_ROWS.test(text)) return { rows: [], changes: Number(prepared.run(...given).changes) };
  const rows = plainRows(prepared.all(...given) as SqlResult['rows']);
  return { rows, changes: rows.length };
}
