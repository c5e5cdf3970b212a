import { abortError, invalidArgument } from '@vernal/core';
import { boundStatements } from '../bound-statement.js';
import { rerunList } from '../rerun-list.js';
import type { SqlDatabase, SqlResult } from '../sql-database.js';
import { fieldOf } from '../sql-error.js';
import { inOracleTransaction } from './oracle-connection.js';
import { oracleError } from './oracle-error.js';
import type { OraclePool, OraclePoolConnection } from './oracle-pool.js';
import { oracleResult } from './oracle-statement.js';

/**
 * Oracle through a `Pool` of `oracledb`. Statements run under READ COMMITTED. Names of columns that the statement has without quotes come in
 * lower case; an empty text is NULL to Oracle. What is sent is tested, not what a server makes of it.
 *
 * @throws VernalError `invalid_argument` for anything else
 * @example
 * ```ts
 * const database = oracleDatabase(await oracledb.createPool({ user, password, connectString }));
 * ```
 */
export function oracleDatabase(pool: OraclePool): SqlDatabase {
  if (typeof pool?.getConnection !== 'function' || typeof pool.connectionsInUse !== 'number')
    throw invalidArgument('pool', 'pass a Pool of oracledb');
  return {
    dialect: 'oracle',
    isEmbedded: false,
    async run(statements, context) {
      const bound = boundStatements(statements);
      const signal = context?.signal ?? new AbortController().signal;
      try {
        const each = async (connection: OraclePoolConnection): Promise<SqlResult[]> => {
          const results: SqlResult[] = [];
          for (const statement of bound) {
            signal.throwIfAborted();
            results.push(await oracleResult(connection, statement));
          }
          return results;
        };
        // What the server has committed on the way is not to be done again.
        const commits = bound.some(({ text }) =>
          /^\s*(?:create|alter|drop|truncate|rename|begin|declare)\b/i.test(text),
        );
        const isUndone = (thrown: unknown): boolean => !commits && fieldOf(thrown, 'errorNum') === 60;
        return await rerunList(() => inOracleTransaction(pool, signal, each), isUndone, signal);
      } catch (error) {
        throw signal.aborted ? abortError(signal) : oracleError(error, { code: context?.errorCode });
      }
    },
  };
}
