import { type SqlDialect, sqlIdentifier } from '@vernal/sql';

/** The tables of a repository, by name. */
export interface JdbcTableNames {
  /** Default `'vernal_chat_memory'`: what the names of the tables begin with. */
  readonly tablePrefix?: string | undefined;
  /** Default what the connection takes by itself. */
  readonly schema?: string | undefined;
}

/** The tables of a repository, quoted for statements. */
export interface JdbcTables {
  /** One row a conversation, with where it stands. */
  readonly conversation: string;
  /** One row a message. */
  readonly message: string;
  /** The table of messages without its schema, as an index of SQLite names it. */
  readonly messageName: string;
  /** One row: the version of the layout. */
  readonly version: string;
  /** Of an index over the system messages. */
  readonly systemIndex: string;
  /** What a lock on the layout is named by. */
  readonly lock: string;
}

/** Throws `invalid_argument` for names that the engine cannot keep. */
export function jdbcTables(dialect: SqlDialect, names: JdbcTableNames = {}): JdbcTables {
  const { tablePrefix = 'vernal_chat_memory', schema } = names;
  const quoted = (suffix: string): string => sqlIdentifier(dialect, `${tablePrefix}${suffix}`, 'tablePrefix');
  const inSchema = schema === undefined ? '' : `${sqlIdentifier(dialect, schema, 'schema')}.`;
  return {
    conversation: inSchema + quoted('_conversation'),
    message: inSchema + quoted('_message'),
    messageName: quoted('_message'),
    version: inSchema + quoted('_version'),
    // SQLite keeps an index in the database of its table, and wants its name to say so; others want the name alone.
    systemIndex: (dialect === 'sqlite' ? inSchema : '') + quoted('_system'),
    lock: `${schema ?? ''}.${tablePrefix}`,
  };
}
