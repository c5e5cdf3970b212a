import { abortError, invalidArgument } from '@vernal/core';
import { type BoundStatement, boundStatements } from '../bound-statement.js';
import { rerunList } from '../rerun-list.js';
import type { SqlDatabase, SqlResult } from '../sql-database.js';
import { fieldOf } from '../sql-error.js';
import { onMysqlConnection } from './mysql-connection.js';
import { mysqlError } from './mysql-error.js';
import type { MysqlPool, MysqlPoolConnection } from './mysql-pool.js';
import type { MysqlSessions } from './mysql-session.js';
import { mysqlRows } from './mysql-statement.js';

/**
 * MySQL 8 or MariaDB 10.6 and newer through a `Pool` of `mysql2/promise`. Statements run at the default isolation level, REPEATABLE READ
 * unless the server says otherwise, and in strict mode: what a column cannot hold is refused.
 *
 * @throws VernalError `invalid_argument` for anything else
 * @example
 * ```ts
 * const database = mysqlDatabase(createPool(url));
 * ```
 */
export function mysqlDatabase(pool: MysqlPool): SqlDatabase {
  const has = (name: string): boolean => typeof Reflect.get(Object(pool), name) === 'function';
  if (has('promise')) throw invalidArgument('pool', 'pass what its promise() gives, or a Pool of mysql2/promise');
  // The package mariadb has pools that look the same and answer otherwise.
  if (!has('getConnection') || !has('execute') || has('batch'))
    throw invalidArgument('pool', 'pass a Pool of mysql2/promise, which is for MariaDB, too');
  const sessions: MysqlSessions = new WeakMap();
  return {
    dialect: 'mysql',
    isEmbedded: false,
    async run(statements, context) {
      const bound = boundStatements(statements);
      // None is made where none was given: that cost more than everything else here.
      const signal = context?.signal;
      try {
        const isUndone = commitsByItself(bound) ? () => false : isDeadlock;
        return await rerunList(
          () =>
            onMysqlConnection(pool, sessions, { signal, isOne: bound.length === 1 }, (connection) =>
              each(connection, bound, signal),
            ),
          isUndone,
          signal,
        );
      } catch (error) {
        throw signal?.aborted ? abortError(signal) : mysqlError(error, { code: context?.errorCode });
      }
    },
  };
}

/** What the server has committed on the way is not to be done again. */
function commitsByItself(statements: readonly BoundStatement[]): boolean {
  return statements.some(({ text }) => /^\s*(?:create|alter|drop|truncate|rename)\b/i.test(text));
}

/** A deadlock; of MariaDB also a row that another transaction has changed since this one began. */
function isDeadlock(thrown: unknown): boolean {
  const number = fieldOf(thrown, 'errno');
  return number === 1213 || number === 1020;
}

async function each(
  connection: MysqlPoolConnection,
  statements: readonly BoundStatement[],
  signal: AbortSignal | undefined,
): Promise<SqlResult[]> {
  const results: SqlResult[] = [];
  for (const { text, values } of statements) {
    signal?.throwIfAborted();
    results.push(await mysqlRows(connection, text, values));
  }
  return results;
}
