import type { SqliteConnection } from './sqlite-connection.js';

/**
 * Runs `work` as one transaction, or as one step of the transaction that the caller has open. `work` is synchronous, so that nothing else
 * comes in between on a connection that many share.
 */
export function inTransaction<T>(connection: SqliteConnection, work: () => T): T {
  const nested = !begins(connection);
  if (nested) connection.exec('SAVEPOINT vernal');
  try {
    const result = work();
    connection.exec(nested ? 'RELEASE vernal' : 'COMMIT');
    return result;
  } catch (error) {
    try {
      connection.exec(nested ? 'ROLLBACK TO vernal; RELEASE vernal' : 'ROLLBACK');
    } catch {
      // A full disk makes SQLite roll back by itself; the first error is the one that tells.
    }
    throw error;
  }
}

/** The drivers have no common name for the question whether a transaction is open; SQLite refuses a second one. */
function begins(connection: SqliteConnection): boolean {
  try {
    // The write lock at once: one that is taken later cannot be waited for.
    connection.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('within a transaction')) return false;
    throw error;
  }
}
