import type { SqlResult, SqlValue } from '../sql-database.js';
import type { MysqlPoolConnection } from './mysql-pool.js';

/**
 * Runs a statement as a prepared one if it has values, so that no value is ever part of a text; some statements that have none cannot be
 * prepared.
 */
export async function mysqlRows(
  connection: MysqlPoolConnection,
  text: string,
  values: readonly SqlValue[],
): Promise<SqlResult> {
  const query = {
    sql: text,
    rowsAsArray: false,
    nestTables: false,
    namedPlaceholders: false,
    supportBigNumbers: true,
    bigNumberStrings: false,
  } as const;
  const [found] =
    values.length === 0
      ? await connection.query(query)
      : await connection.execute({ ...query, values: values.map(parameter) });
  if (Array.isArray(found)) return { rows: found as SqlResult['rows'], changes: found.length };
  return { rows: [], changes: Number(Reflect.get(Object(found), 'affectedRows') ?? 0) };
}

/** The driver sends numbers as DOUBLE, which LIMIT refuses, and bytes as text unless they are a Buffer. */
function parameter(value: SqlValue): string | number | Buffer | null {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value).toString() : value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value;
}
