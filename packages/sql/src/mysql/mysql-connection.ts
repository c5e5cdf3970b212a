import { Cancellation } from '../cancellation.js';
import { takenConnection } from '../taken-connection.js';
import type { MysqlPool, MysqlPoolConnection } from './mysql-pool.js';
import { type MysqlSessions, setMode, strictSession } from './mysql-session.js';
import { mysqlRows } from './mysql-statement.js';

/** How statements are run. */
export interface MysqlRun {
  readonly signal: AbortSignal | undefined;
  /** True for one statement, which is a transaction of its own where the session commits by itself. */
  readonly isOne: boolean;
}

/** Runs `work` as one transaction. A connection that nobody can be sure of is destroyed, which makes the server roll back. */
export async function onMysqlConnection<T>(
  pool: MysqlPool,
  sessions: MysqlSessions,
  { signal, isOne }: MysqlRun,
  work: (connection: MysqlPoolConnection) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const connection = await takenConnection(pool.getConnection(), signal, (late) => late.release());
  const cancellation = new Cancellation(signal, {
    take: () => pool.getConnection(),
    giveBack: (other) => other.release(),
    cancel: (other) => cancel(other, connection.threadId),
  });
  let isSure = false;
  try {
    signal?.throwIfAborted();
    const { lax, autocommits } = await strictSession(connection, sessions);
    const begins = !(isOne && autocommits);
    try {
      if (begins) await mysqlRows(connection, 'START TRANSACTION', []);
      const result = await work(connection);
      if (begins) {
        signal?.throwIfAborted();
        await mysqlRows(connection, 'COMMIT', []);
      }
      isSure = await isLeftAsItWas(connection, lax);
      return result;
    } catch (error) {
      isSure = await isLeftAsItWas(connection, lax, begins ? 'ROLLBACK' : undefined);
      throw error;
    }
  } finally {
    const isCancelled = await cancellation.end();
    if (isSure && !isCancelled) connection.release();
    else connection.destroy();
  }
}

async function isLeftAsItWas(connection: MysqlPoolConnection, lax: string | undefined, end?: string): Promise<boolean> {
  try {
    if (end !== undefined) await mysqlRows(connection, end, []);
    if (lax !== undefined) await setMode(connection, lax);
    return true;
  } catch {
    return false;
  }
}

async function cancel(other: MysqlPoolConnection, thread: number | null): Promise<void> {
  try {
    if (Number.isInteger(thread)) await mysqlRows(other, `KILL QUERY ${thread}`, []);
    other.release();
  } catch {
    other.destroy();
  }
}
