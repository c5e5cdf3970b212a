import { abortError, invalidArgument } from '@vernal/core';
import { type BoundStatement, boundStatements } from '../bound-statement.js';
import { rerunList } from '../rerun-list.js';
import type { SqlDatabase, SqlResult } from '../sql-database.js';
import { fieldOf } from '../sql-error.js';
import { takenConnection } from '../taken-connection.js';
import { sqlServerError } from './sql-server-error.js';
import type { SqlServerPool, SqlServerTransaction } from './sql-server-pool.js';
import { sqlServerResult } from './sql-server-statement.js';

/**
 * SQL Server, or Azure SQL, through a connected `ConnectionPool` of `mssql`. Statements run under READ COMMITTED, unless the application
 * has changed the default of the driver. What is sent is tested, not what a server makes of it.
 *
 * @throws VernalError `invalid_argument` for anything else
 * @example
 * ```ts
 * const database = sqlServerDatabase(await new ConnectionPool(config).connect());
 * ```
 */
export function sqlServerDatabase(pool: SqlServerPool): SqlDatabase {
  const has = (name: string): boolean => typeof Reflect.get(Object(pool), name) === 'function';
  if (!has('transaction') || !has('request'))
    throw invalidArgument('pool', 'pass a ConnectionPool of mssql that is connected');
  return {
    dialect: 'sqlserver',
    isEmbedded: false,
    async run(statements, context) {
      const bound = boundStatements(statements);
      const signal = context?.signal ?? new AbortController().signal;
      try {
        return await rerunList(() => inTransaction(pool.transaction(), bound, signal), isUndone, signal);
      } catch (error) {
        throw signal.aborted ? abortError(signal) : sqlServerError(error, { code: context?.errorCode });
      }
    },
  };
}

/** Chosen as the victim of a deadlock. */
function isUndone(thrown: unknown): boolean {
  return fieldOf(thrown, 'number') === 1205;
}

async function inTransaction(
  transaction: SqlServerTransaction,
  statements: readonly BoundStatement[],
  signal: AbortSignal,
): Promise<SqlResult[]> {
  signal.throwIfAborted();
  await takenConnection(transaction.begin(), signal, () => transaction.rollback());
  try {
    const results: SqlResult[] = [];
    for (const statement of statements) {
      signal.throwIfAborted();
      results.push(await sqlServerResult(transaction, statement, signal));
    }
    signal.throwIfAborted();
    await transaction.commit();
    return results;
  } catch (error) {
    // The server has rolled back by itself if this fails, and the driver keeps no connection that was lost.
    await transaction.rollback().catch(() => {});
    throw error;
  }
}
