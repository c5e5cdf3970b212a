import { abortError, invalidArgument } from '@vernal/core';
import { type BoundStatement, boundStatements, withPlaces } from '../bound-statement.js';
import { plainRows } from '../plain-row.js';
import { rerunList } from '../rerun-list.js';
import type { SqlDatabase, SqlResult } from '../sql-database.js';
import { fieldOf } from '../sql-error.js';
import { withConnection } from './pg-connection.js';
import type { PgLite, PgPool, PgQueryable } from './pg-pool.js';
import { postgresError } from './postgres-error.js';

/**
 * PostgreSQL through a `Pool` of `pg`, or a `PGlite`. Statements run at the default isolation level, READ COMMITTED unless the server says
 * otherwise.
 *
 * @throws VernalError `invalid_argument` when it is neither
 * @example
 * ```ts
 * const database = postgresDatabase(new Pool({ connectionString }));
 * ```
 */
export function postgresDatabase(pool: PgPool | PgLite): SqlDatabase {
  const isEmbedded = typeof Reflect.get(Object(pool), 'transaction') === 'function';
  if (!isEmbedded && typeof Reflect.get(Object(pool), 'connect') !== 'function')
    throw invalidArgument('pool', 'pass a Pool of the package pg, or a PGlite');
  return {
    dialect: 'postgres',
    isEmbedded,
    async run(statements, context) {
      const bound = boundStatements(statements);
      // None is made where none was given: that cost more than everything else here.
      const signal = context?.signal;
      try {
        // One statement is a transaction of its own.
        const begin = bound.length === 1 ? undefined : '';
        return await rerunList(
          () => withConnection(pool, { signal, begin }, (connection) => each(connection, bound, signal)),
          isUndone,
          signal,
        );
      } catch (error) {
        throw signal?.aborted ? abortError(signal) : postgresError(error, { code: context?.errorCode });
      }
    },
  };
}

/** A deadlock, or transactions that cannot be put in an order. */
function isUndone(thrown: unknown): boolean {
  const state = fieldOf(thrown, 'code');
  return state === '40P01' || state === '40001';
}

async function each(
  connection: PgQueryable,
  statements: readonly BoundStatement[],
  signal: AbortSignal | undefined,
): Promise<SqlResult[]> {
  const results: SqlResult[] = [];
  for (const { text, values } of statements) {
    signal?.throwIfAborted();
    const { rows, rowCount, affectedRows } = (await connection.query(
      withPlaces(text, (index) => `$${index + 1}`),
      [...values],
    )) as { readonly rows: SqlResult['rows']; readonly rowCount?: number | null; readonly affectedRows?: number };
    results.push({ rows: plainRows(rows), changes: rowCount ?? affectedRows ?? 0 });
  }
  return results;
}
