import { VernalError } from '@vernal/core';
import type { PgQueryable } from '@vernal/sql';
import type { PgSettings } from './pg-settings.js';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly dimensions: number;
  readonly unique: boolean;
}

const ID_TYPES: Readonly<Record<PgSettings['idCast'], readonly string[]>> = {
  text: ['text', 'varchar'],
  uuid: ['uuid'],
  integer: ['int4'],
  bigint: ['int8'],
};
const ID_TYPE_OF: Readonly<Record<string, string>> = {
  text: 'text',
  varchar: 'text',
  uuid: 'uuid',
  int4: 'integer',
  int8: 'bigint',
};

/**
 * The type of the metadata. Throws `store_read` with all that is wrong with the table, and how to mend it. `dimensions` undefined: any.
 */
export async function validateSchema(
  connection: PgQueryable,
  settings: PgSettings,
  dimensions: number | undefined,
): Promise<string | undefined> {
  const extension = await connection.query("SELECT FROM pg_extension WHERE extname = 'vector'");
  const { rows } = await connection.query(
    `SELECT a.attname AS name, t.typname AS type, a.atttypmod AS dimensions,
       EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indpred IS NULL AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum) AS unique
     FROM pg_attribute a
     JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid
     WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped`,
    [settings.schemaName, settings.tableName],
  );
  const columns = new Map((rows as Column[]).map((column) => [column.name, column]));
  const faults = [
    ...(extension.rows.length === 0 ? ['the extension vector is missing'] : []),
    ...(columns.size === 0 ? ['it does not exist'] : columnFaults(columns, settings, dimensions)),
  ];
  if (faults.length === 0) return columns.get('metadata')?.type;
  throw new VernalError(
    `The table of the vector store does not fit: ${faults.join('; ')}. Change the table or the options, or set initializeSchema to 'create' for what is missing`,
    { code: 'store_read', subject: 'table', details: { faults } },
  );
}

function columnFaults(
  columns: ReadonlyMap<string, Column>,
  { vectorType, idCast }: PgSettings,
  dimensions: number | undefined,
): string[] {
  const faults: string[] = [];
  for (const [name, types] of [
    ['id', ID_TYPES[idCast]],
    ['content', ['text', 'varchar']],
    ['metadata', ['jsonb', 'json']],
    ['embedding', [vectorType]],
  ] as [string, readonly string[]][]) {
    const column = columns.get(name);
    if (column === undefined) faults.push(`the column ${name} is missing`);
    else if (!types.includes(column.type)) {
      const fit = name === 'id' ? ID_TYPE_OF[column.type] : undefined;
      faults.push(
        `the column ${name} is ${column.type}, not ${types.join(' or ')}${fit === undefined ? '' : ` (idType '${fit}' would fit)`}`,
      );
    } else if (name === 'id' && !column.unique) faults.push('the column id is not unique');
  }
  const held = columns.get('embedding')?.dimensions ?? -1;
  if (dimensions !== undefined && held > 0 && held !== dimensions)
    faults.push(`its vectors have ${held} dimensions, those of the model ${dimensions}`);
  return faults;
}

/** IF NOT EXISTS makes nothing where anything else has the name already. Throws `invalid_argument` then. */
export async function checkIndexes(
  connection: PgQueryable,
  settings: PgSettings,
  names: readonly string[],
): Promise<void> {
  const { rows } = await connection.query(
    `SELECT i.relname AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
     JOIN pg_class c ON c.oid = x.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2`,
    [settings.schemaName, settings.tableName],
  );
  const there = new Set((rows as { readonly name: string }[]).map(({ name }) => name));
  const taken = names.filter((name) => !there.has(name));
  if (taken.length === 0) return;
  throw new VernalError(
    'The schema has something else of the name of an index, which details.taken names: give another name as index, or another table',
    { code: 'invalid_argument', subject: 'index', details: { taken } },
  );
}
