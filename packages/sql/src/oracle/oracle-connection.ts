import { takenConnection } from '../taken-connection.js';
import type { OraclePool, OraclePoolConnection } from './oracle-pool.js';

/** Runs `work` as one transaction. A connection that nobody can be sure of is closed for good, which makes the server roll back. */
export async function inOracleTransaction<T>(
  pool: OraclePool,
  signal: AbortSignal,
  work: (connection: OraclePoolConnection) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const connection = await takenConnection(pool.getConnection(), signal, (late) => late.close());
  let sent: Promise<void> | undefined;
  const breakOff = (): void => {
    sent = connection.break().catch(() => {});
  };
  signal.addEventListener('abort', breakOff, { once: true });
  let isSure = false;
  try {
    signal.throwIfAborted();
    const result = await work(connection);
    signal.throwIfAborted();
    await connection.commit();
    isSure = true;
    return result;
  } catch (error) {
    isSure = await connection.rollback().then(
      () => true,
      () => false,
    );
    throw error;
  } finally {
    signal.removeEventListener('abort', breakOff);
    // One that is on its way must not hit the next user of the connection.
    await sent;
    await connection.close({ drop: !isSure || sent !== undefined }).catch(() => {});
  }
}
