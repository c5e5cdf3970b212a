import { type BoundStatement, withPlaces } from '../bound-statement.js';
import type { SqlResult, SqlValue } from '../sql-database.js';
import type { OraclePoolConnection } from './oracle-pool.js';

/** `OUT_FORMAT_OBJECT` of the driver. */
const OBJECTS = 4002;

/** Runs a statement, and reads the texts and bytes that the driver gives as something to read from. */
export async function oracleResult(
  connection: OraclePoolConnection,
  { text, values }: BoundStatement,
): Promise<SqlResult> {
  const given = values.filter((value) => value !== null);
  let count = 0;
  // A NULL that is bound is a text, which some columns do not take.
  const command = withPlaces(text, (index) => (values[index] === null ? 'NULL' : `:${++count}`));
  const options = { autoCommit: false, outFormat: OBJECTS, resultSet: false, maxRows: 0 } as const;
  const { rows = [], rowsAffected } = await connection.execute(command, given.map(parameter), options);
  const read: SqlResult['rows'][number][] = [];
  for (const row of rows) read.push(await namedRow(row as Record<string, unknown>));
  return { rows: read, changes: rowsAffected ?? 0 };
}

/** Names without quotes are in capitals to Oracle: they are given as PostgreSQL has them. */
async function namedRow(row: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row))
    read[name === name.toUpperCase() ? name.toLowerCase() : name] = await content(value);
  return read;
}

async function content(value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  const read: unknown = Reflect.get(value, 'getData');
  return typeof read === 'function' ? await Reflect.apply(read, value, []) : value;
}

/** The driver knows bytes as a Buffer. */
function parameter(value: Exclude<SqlValue, null>): string | number | Buffer {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}
