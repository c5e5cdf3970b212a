import type { FindRange } from '@vernal/core/adapter';
import type { SqlStatement, SqlValue } from '@vernal/sql';
import type { JdbcDialect } from './jdbc-dialect.js';
import type { JdbcTables } from './jdbc-tables.js';

/**
 * One statement, so that messages and the sequence of the conversation are of one moment: a row for each message, each with
 * `last_sequence`; a single row with nothing else for a conversation that has no such messages.
 */
export function findStatement(dialect: JdbcDialect, tables: JdbcTables, key: string, range: FindRange): SqlStatement {
  const { text, values } = range.includeSystem
    ? withSystemMessages(dialect, tables, key, range)
    : newest(dialect, tables, key, range, 'conversation_key, sequence, message');
  return {
    text: `SELECT c.sequence AS last_sequence, m.sequence AS sequence, m.message AS message
      FROM ${tables.conversation} c LEFT JOIN (${text}) m ON m.conversation_key = c.conversation_key
      WHERE c.conversation_key = ?`,
    values: [...values, key],
  };
}

/** A page of conversations with messages, by key. */
export function listStatement(
  dialect: JdbcDialect,
  tables: JdbcTables,
  after: string | undefined,
  pageSize: number,
): SqlStatement {
  const query = `SELECT c.conversation_key AS conversation_key, c.conversation_id AS conversation_id FROM ${tables.conversation} c
    WHERE ${after === undefined ? '' : 'c.conversation_key > ? AND '}EXISTS (
      SELECT 1 FROM ${tables.message} m WHERE m.conversation_key = c.conversation_key)
    ORDER BY c.conversation_key`;
  return { text: dialect.limited(query, pageSize), values: after === undefined ? [] : [after] };
}

interface Query {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

function newest(dialect: JdbcDialect, tables: JdbcTables, key: string, range: FindRange, columns: string): Query {
  const { last, before } = range;
  const query = `SELECT ${columns} FROM ${tables.message} WHERE conversation_key = ?${before === undefined ? '' : ' AND sequence < ?'}`;
  return {
    text: last === undefined ? query : dialect.limited(`${query} ORDER BY sequence DESC`, last),
    values: before === undefined ? [key] : [key, before],
  };
}

/** Sequences first, each part by its index; then the messages by their key. Long texts are in no UNION, which some engines refuse. */
function withSystemMessages(dialect: JdbcDialect, tables: JdbcTables, key: string, range: FindRange): Query {
  const found = newest(dialect, tables, key, range, 'sequence');
  return {
    text: `SELECT n.conversation_key, n.sequence, n.message FROM (
        SELECT sequence FROM (${found.text}) newest
        UNION SELECT sequence FROM ${tables.message} WHERE conversation_key = ? AND type = 'system'
      ) picked JOIN ${tables.message} n ON n.sequence = picked.sequence AND n.conversation_key = ?`,
    values: [...found.values, key, key],
  };
}
