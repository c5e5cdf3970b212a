import type { SqlDialect } from '@vernal/sql';
import { dialectOf } from './dialects/dialect-of.js';
import { schemaStatements } from './jdbc-schema.js';
import { type JdbcTableNames, jdbcTables } from './jdbc-tables.js';

/**
 * The statements that make the tables of a dialect, for tools that keep schemas, or to be changed and given as `schemaScript`. They
 * may be run again.
 *
 * @example
 * ```ts
 * writeFileSync('chat-memory.sql', jdbcSchema('postgres').join(';\n'));
 * ```
 */
export function jdbcSchema(dialect: SqlDialect, names: JdbcTableNames = {}): string[] {
  const tables = jdbcTables(dialect, names);
  return schemaStatements(dialectOf({ dialect }), tables).flatMap(({ text, values = [] }) =>
    // A lock is for those that create at once, which a script is not.
    values.length > 0 ? [] : [text.replaceAll(/\n\s+/g, '\n  ')],
  );
}
