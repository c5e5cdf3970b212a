import {
  assistantMessage,
  type CallContext,
  type Message,
  type Metadata,
  systemMessage,
  throwIfAborted,
  userMessage,
  VernalError,
} from '@vernal/core';
import { type SqlClient, type SqlDatabase, type SqlDialect, sqlDatabase, sqlIdentifier } from '@vernal/sql';

/** Where the table is. All may be left out. */
export interface SpringAiTableOptions extends CallContext {
  /** Default `'spring_ai_chat_memory'` in PostgreSQL, `'SPRING_AI_CHAT_MEMORY'` elsewhere. */
  readonly table?: string | undefined;
  /** Default what the connection takes by itself. */
  readonly schema?: string | undefined;
}

/** A conversation as Spring AI has stored it. */
export interface SpringAiConversation {
  readonly conversationId: string;
  /** Oldest first; of each, `metadata.timestamp` is when it was stored, in ISO 8601. */
  readonly messages: readonly Message[];
  /** How many rows are of the type TOOL: they hold no call that they answer, and are left out. */
  readonly skipped: number;
}

/**
 * The conversations in the table of Spring AI's `JdbcChatMemoryRepository`, with the columns `conversation_id`, `content`, `type`,
 * `timestamp` and, since 2.0, `sequence_id`; nothing is written to it. One conversation at a time is in memory.
 *
 * @throws VernalError `store_read` when the table is not there, or holds a type that it does not know
 */
export async function* springAiConversations(
  client: SqlClient,
  options: SpringAiTableOptions = {},
): AsyncIterable<SpringAiConversation> {
  const database = sqlDatabase(client);
  const table = springAiTable(database.dialect, options);
  const context = { signal: options.signal, errorCode: 'store_read' };
  const [ids] = await database.run([{ text: `SELECT DISTINCT conversation_id FROM ${table} ORDER BY 1` }], context);
  for (const row of ids?.rows ?? []) {
    throwIfAborted(options.signal);
    yield conversationOf(String(columnOf(row, 'conversation_id')), await rowsOf(database, table, row, context));
  }
}

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(database: SqlDatabase, table: string, row: Row, context: CallContext): Promise<readonly Row[]> {
  const values = [String(columnOf(row, 'conversation_id'))];
  const text = `SELECT * FROM ${table} WHERE conversation_id = ?`;
  const [result] = await database.run([{ text, values }], { ...context, errorCode: 'store_read' });
  // Tables of 1.x have no sequence_id; a sort keeps what is equal in the order of the rows.
  const place = (one: Row): number => Number(columnOf(one, 'sequence_id') ?? timeOf(one)?.getTime() ?? 0);
  return [...(result?.rows ?? [])].sort((a, b) => place(a) - place(b));
}

function conversationOf(conversationId: string, rows: readonly Row[]): SpringAiConversation {
  const messages = rows.map(messageOf).filter((message) => message !== undefined);
  return { conversationId, messages, skipped: rows.length - messages.length };
}

function messageOf(row: Row): Message | undefined {
  const text = String(columnOf(row, 'content') ?? '');
  const time = timeOf(row);
  const metadata: Metadata = time === undefined ? {} : { timestamp: time.toISOString() };
  switch (columnOf(row, 'type')) {
    case 'USER':
      return userMessage(text, { metadata });
    case 'ASSISTANT':
      return assistantMessage({ text, metadata });
    case 'SYSTEM':
      return systemMessage(text, { metadata });
    case 'TOOL':
      return undefined;
    default:
      throw new VernalError(
        'A row has a type other than USER, ASSISTANT, SYSTEM and TOOL: is this the table of Spring AI?',
        {
          code: 'store_read',
          subject: 'table',
        },
      );
  }
}

/** Engines give the names of columns in small letters, or in capitals. */
function columnOf(row: Row, column: string): unknown {
  return row[column] ?? row[column.toUpperCase()];
}

/** SQLite keeps milliseconds, the others a date. */
function timeOf(row: Row): Date | undefined {
  const value = columnOf(row, 'timestamp');
  const time = value instanceof Date ? value : new Date(typeof value === 'number' ? value : String(value));
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function springAiTable(dialect: SqlDialect, { table, schema }: SpringAiTableOptions): string {
  const name = table ?? (dialect === 'postgres' ? 'spring_ai_chat_memory' : 'SPRING_AI_CHAT_MEMORY');
  const quoted = sqlIdentifier(dialect, name, 'table');
  return schema === undefined ? quoted : `${sqlIdentifier(dialect, schema, 'schema')}.${quoted}`;
}
