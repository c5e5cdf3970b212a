import type { StoredMessage } from '@vernal/core/adapter';
import type { SqlStatement, SqlValue } from '@vernal/sql';
import type { JdbcDialect, SequenceClaim } from './jdbc-dialect.js';
import type { JdbcTables } from './jdbc-tables.js';

const ROWS_AT_ONCE = 200;

/** A write to one conversation: the claim that it makes, and what it writes if it gets it. */
export interface ConversationWrite {
  readonly claim: SequenceClaim;
  readonly messages: readonly StoredMessage[];
  /** True when they take the place of all others. */
  readonly replaces: boolean;
}

/**
 * One transaction: claim the sequences, write the messages if the claim is ours, and read where the conversation stands. The claim locks
 * the conversation's row, so that writers come one after the other, and a claim that another writer has beaten writes nothing.
 */
export function writeStatements(dialect: JdbcDialect, tables: JdbcTables, write: ConversationWrite): SqlStatement[] {
  const { claim, replaces } = write;
  const { key, writer } = claim;
  const isOurs = `FROM ${tables.conversation} c WHERE c.conversation_key = ? AND c.writer = ?`;
  const cleared: SqlStatement[] = replaces
    ? [
        {
          text: `DELETE FROM ${tables.message} WHERE conversation_key = ? AND EXISTS (SELECT 1 ${isOurs})`,
          values: [key, key, writer],
        },
      ]
    : [];
  return [
    claimed(dialect, tables, claim),
    ...cleared,
    ...insertions(dialect, tables, write),
    { text: `SELECT sequence, writer FROM ${tables.conversation} WHERE conversation_key = ?`, values: [key] },
  ];
}

function claimed(dialect: JdbcDialect, tables: JdbcTables, claim: SequenceClaim): SqlStatement {
  const { key, count, expected, writer } = claim;
  // A conversation is made by its first message; one that is to stand somewhere is there.
  if (count > 0 && (expected === undefined || expected === 0)) return dialect.claim(tables, claim);
  const condition = expected === undefined ? '' : ' AND sequence = ?';
  return {
    text: `UPDATE ${tables.conversation} SET sequence = sequence + ${count}, writer = ? WHERE conversation_key = ?${condition}`,
    values: [writer, key, ...(expected === undefined ? [] : [expected])],
  };
}

function* insertions(dialect: JdbcDialect, tables: JdbcTables, write: ConversationWrite): Iterable<SqlStatement> {
  const { rowsAtOnce = ROWS_AT_ONCE } = dialect;
  const { claim, messages } = write;
  for (let start = 0; start < messages.length; start += rowsAtOnce) {
    const rows = messages.slice(start, start + rowsAtOnce);
    // How far from the end of the claim: the sequence of a row is the conversation's, less that.
    const back = claim.count - 1 - start;
    yield rowsAtOnce === 1 ? insertion(tables, claim, rows, back) : bulkInsertion(tables, claim, rows, back);
  }
}

const ROW = '(conversation_key, sequence, type, text, message)';

function insertion(
  tables: JdbcTables,
  claim: SequenceClaim,
  rows: readonly StoredMessage[],
  back: number,
): SqlStatement {
  const [{ type, text, message } = EMPTY] = rows;
  return {
    text: `INSERT INTO ${tables.message} ${ROW} SELECT c.conversation_key, c.sequence - ?, ?, ?, ? FROM ${tables.conversation} c
      WHERE c.conversation_key = ? AND c.writer = ?`,
    values: [back, type, text, message, claim.key, claim.writer],
  };
}

const EMPTY: StoredMessage = { type: 'user', text: '', message: '' };

function bulkInsertion(
  tables: JdbcTables,
  claim: SequenceClaim,
  rows: readonly StoredMessage[],
  back: number,
): SqlStatement {
  const selects = rows.map((_, index) => `SELECT ${back - index} AS back, ? AS type, ? AS text, ? AS message`);
  const values: SqlValue[] = rows.flatMap(({ type, text, message }) => [type, text, message]);
  return {
    text: `INSERT INTO ${tables.message} ${ROW} SELECT c.conversation_key, c.sequence - v.back, v.type, v.text, v.message
      FROM ${tables.conversation} c CROSS JOIN (${selects.join(' UNION ALL ')}) v
      WHERE c.conversation_key = ? AND c.writer = ?`,
    values: [...values, claim.key, claim.writer],
  };
}
