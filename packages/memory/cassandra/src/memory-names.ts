import { invalidArgument } from '@vernal/core';

const COLUMNS = {
  conversationKey: 'conversation_key',
  isSystem: 'is_system',
  sequence: 'sequence',
  type: 'type',
  text: 'text',
  message: 'message',
  createdAt: 'created_at',
  writeId: 'write_id',
  item: 'item',
  parts: 'parts',
  conversationId: 'conversation_id',
  lastSequence: 'last_sequence',
  firstSequence: 'first_sequence',
  generation: 'generation',
  lastWrite: 'last_write',
  hasParts: 'has_parts',
  layout: 'layout',
  part: 'part',
  content: 'content',
} as const;

/** A column by what it holds; the defaults are these words with underscores, as in `conversation_key`. The README has the table. */
export type CassandraMemoryColumn = keyof typeof COLUMNS;

/** Names of one's own; those left out keep their default. */
export type CassandraMemoryColumns = { readonly [column in CassandraMemoryColumn]?: string | undefined };

/** Where the conversations are. */
export interface CassandraMemoryNames {
  /** Letters, digits and underscores, at most 48. Default `'vernal'`. */
  readonly keyspace?: string | undefined;
  /** Of the messages; a second one, `TABLE_part`, holds large ones. Letters, digits and underscores, at most 43. Default `'chat_memory'`. */
  readonly table?: string | undefined;
  readonly columns?: CassandraMemoryColumns | undefined;
}

/** The names, checked, with defaults, quoted for statements. */
export interface MemoryNames {
  /** Without quotes. */
  readonly keyspaceName: string;
  /** Without quotes. */
  readonly tableName: string;
  /** Without quotes. */
  readonly partTableName: string;
  readonly keyspace: string;
  readonly table: string;
  readonly partTable: string;
  readonly columns: Readonly<Record<CassandraMemoryColumn, string>>;
  /** Without quotes, as results have them. */
  readonly columnNames: Readonly<Record<CassandraMemoryColumn, string>>;
}

const PART = '_part';
const LONGEST = 48;

/** Throws `invalid_argument` for names that Cassandra cannot keep, and for columns that are none. */
export function memoryNames({
  keyspace = 'vernal',
  table = 'chat_memory',
  columns = {},
}: CassandraMemoryNames): MemoryNames {
  const columnNames = namesOfColumns(columns);
  const inKeyspace = checkedName(keyspace, 'keyspace');
  checkedName(table, 'table', LONGEST - PART.length);
  return {
    keyspaceName: keyspace,
    tableName: table,
    partTableName: table + PART,
    keyspace: inKeyspace,
    table: `${inKeyspace}.${quoted(table)}`,
    partTable: `${inKeyspace}.${quoted(table + PART)}`,
    columns: mapped(columnNames, quoted),
    columnNames,
  };
}

function namesOfColumns(columns: CassandraMemoryColumns): Record<CassandraMemoryColumn, string> {
  if (typeof columns !== 'object' || columns === null) throw invalidArgument('columns', 'must be an object');
  for (const [column, name] of Object.entries(columns)) {
    if (!Object.hasOwn(COLUMNS, column))
      throw invalidArgument(`columns.${column}`, `is no column; there are ${Object.keys(COLUMNS).join(', ')}`);
    if (name !== undefined) quotedName(name, `columns.${column}`);
  }
  const names = mapped(COLUMNS, (name, column) => columns[column] ?? name);
  if (new Set(Object.values(names)).size < Object.keys(names).length)
    throw invalidArgument('columns', 'must have different names');
  return names;
}

function mapped(
  names: Readonly<Record<CassandraMemoryColumn, string>>,
  change: (name: string, column: CassandraMemoryColumn) => string,
): Record<CassandraMemoryColumn, string> {
  const entries = Object.entries(names) as [CassandraMemoryColumn, string][];
  return Object.fromEntries(entries.map(([column, name]) => [column, change(name, column)])) as Record<
    CassandraMemoryColumn,
    string
  >;
}

/** A keyspace or a table, quoted. Throws `invalid_argument` for what Cassandra cannot keep. */
export function checkedName(name: string, subject: string, longest: number = LONGEST): string {
  if (typeof name === 'string' && /^\w+$/.test(name) && name.length <= longest) return quoted(name);
  throw invalidArgument(subject, `must be 1 to ${longest} letters of English, digits and underscores`);
}

/** A column, quoted. Throws `invalid_argument` for what is no name. */
export function quotedName(name: string, subject: string): string {
  if (typeof name === 'string' && name !== '' && !/\0|\p{Surrogate}/u.test(name)) return quoted(name);
  throw invalidArgument(subject, 'must be a name');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
