import { type BoundStatement, withPlaces } from '../bound-statement.js';
import type { SqlResult, SqlValue } from '../sql-database.js';
import type { SqlServerTransaction } from './sql-server-pool.js';

/** Runs a statement, and cancels it when the signal fires. */
export async function sqlServerResult(
  transaction: SqlServerTransaction,
  { text, values }: BoundStatement,
  signal: AbortSignal,
): Promise<SqlResult> {
  const request = transaction.request();
  for (const [index, value] of values.entries()) if (value !== null) request.input(`p${index}`, parameter(value));
  const cancel = (): void => request.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    // A NULL that is bound has a type, and the server turns text into no bytes.
    const command = withPlaces(text, (index) => (values[index] === null ? 'NULL' : `@p${index}`));
    const { recordset, rowsAffected } = await request.query(command);
    // The counts of triggers come before that of the statement.
    const rows = Array.isArray(recordset) ? [...(recordset as SqlResult['rows'])] : [];
    return { rows, changes: rowsAffected.at(-1) ?? 0 };
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** The driver takes a whole number for an integer, however large, and knows bytes as a Buffer. */
function parameter(value: Exclude<SqlValue, null>): string | number | Buffer {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value;
}
