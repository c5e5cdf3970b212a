import {
  type ChatMemoryRepository,
  ConversationConflictError,
  type ConversationSlice,
  checkConversationId,
  checkWrite,
  type DeleteBeforeOptions,
  type FindMessagesOptions,
  type Message,
  type SignalOptions,
  throwIfAborted,
  VernalError,
  type WriteOptions,
} from '@vernal/core';
import {
  conversationKey,
  findRange,
  requireCount,
  restoredMessage,
  restoredText,
  storableText,
  storedMessage,
} from '@vernal/core/adapter';
import type { SqlResult, SqlStatement } from '@vernal/sql';
import type { JdbcChatMemoryRepositoryOptions } from './jdbc-chat-memory-repository-options.js';
import { JdbcConnection, type JdbcSession } from './jdbc-connection.js';
import { findStatement, listStatement } from './read-statements.js';
import { writeStatements } from './write-statements.js';

/**
 * Conversations in tables of PostgreSQL, MySQL, MariaDB, SQLite, SQL Server or Oracle. Messages are kept whole, as `encodeMessage` writes
 * them; beside each stand its type and its text, for people. Every call is one transaction; a read is one statement.
 * Source: `JdbcChatMemoryRepository` of spring-ai-model-chat-memory-repository-jdbc, whose tables `springAiConversations` reads.
 *
 * Errors: `store_read` and `store_write` for what the database refuses, `conversation_conflict`, `message_version`,
 * `missing_conversation_id`, `invalid_state` once it is closed or when the tables are of another release.
 *
 * @example
 * ```ts
 * const repository = new JdbcChatMemoryRepository({ client: new Pool({ connectionString }), initializeSchema: 'always' });
 * const chatMemory = new MessageWindowChatMemory({ repository });
 * ```
 */
export class JdbcChatMemoryRepository implements ChatMemoryRepository {
  readonly #connection: JdbcConnection;
  readonly #pageSize: number;

  /** Throws `invalid_argument` for options that cannot be. */
  constructor(options: JdbcChatMemoryRepositoryOptions) {
    this.#connection = new JdbcConnection(options);
    this.#pageSize = requireCount(options.pageSize ?? 1000, 'pageSize');
  }

  /** By the key of the conversation. Those without messages are left out. */
  async *findConversationIds(options: SignalOptions = {}): AsyncIterable<string> {
    let after: string | undefined;
    for (;;) {
      const { dialect, tables } = await this.#connection.session(options);
      const page = await this.#run([listStatement(dialect, tables, after, this.#pageSize)], 'store_read', options);
      const rows = page.at(-1)?.rows ?? [];
      for (const row of rows) {
        throwIfAborted(options.signal);
        yield restoredText(String(row['conversation_id']));
      }
      if (rows.length < this.#pageSize) return;
      after = String(rows.at(-1)?.['conversation_key']);
    }
  }

  async findByConversationId(conversationId: string, options: FindMessagesOptions = {}): Promise<ConversationSlice> {
    const key = await conversationKey(conversationId);
    const range = findRange(options);
    const { dialect, tables } = await this.#connection.session(options);
    const [result] = await this.#run([findStatement(dialect, tables, key, range)], 'store_read', options);
    return sliceOf(conversationId, result);
  }

  async append(
    conversationId: string,
    messages: readonly Message[],
    options: WriteOptions = {},
  ): Promise<{ readonly sequence: number }> {
    return this.#write(conversationId, messages, false, options);
  }

  async saveAll(
    conversationId: string,
    messages: readonly Message[],
    options: WriteOptions = {},
  ): Promise<{ readonly sequence: number }> {
    return this.#write(conversationId, messages, true, options);
  }

  async deleteBefore(conversationId: string, sequence: number, options: DeleteBeforeOptions = {}): Promise<void> {
    const key = await conversationKey(conversationId);
    const { before } = findRange({ before: sequence });
    await this.#runOn(options, ({ tables }) => [
      {
        text: `DELETE FROM ${tables.message} WHERE conversation_key = ?${before === undefined ? '' : ' AND sequence < ?'}${
          options.keepSystem ? " AND type <> 'system'" : ''
        }`,
        values: before === undefined ? [key] : [key, before],
      },
    ]);
  }

  async deleteByConversationId(conversationId: string, options: SignalOptions = {}): Promise<void> {
    const key = await conversationKey(conversationId);
    // The conversation first: its row is the lock that an append waits for.
    await this.#runOn(options, ({ tables }) =>
      [tables.conversation, tables.message].map((table) => ({
        text: `DELETE FROM ${table} WHERE conversation_key = ?`,
        values: [key],
      })),
    );
  }

  /** Closes what a `url` has opened; a `client` stays open. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #write(
    conversationId: string,
    messages: readonly Message[],
    replaces: boolean,
    options: WriteOptions,
  ): Promise<{ readonly sequence: number }> {
    checkConversationId(conversationId);
    checkWrite(messages, options);
    const stored = messages.map(storedMessage);
    const key = await conversationKey(conversationId);
    const { expectedSequence: expected } = options;
    const writer = globalThis.crypto.randomUUID();
    const claim = { key, id: storableText(conversationId), count: stored.length, expected, writer };
    const results = await this.#runOn(options, ({ dialect, tables }) =>
      writeStatements(dialect, tables, { claim, messages: stored, replaces }),
    );
    const stands = results.at(-1)?.rows[0];
    const sequence = Number(stands?.['sequence'] ?? 0);
    if (stands?.['writer'] === writer) return { sequence };
    // Nothing was to be written to a conversation that never was.
    if (stored.length === 0 && stands === undefined && (expected ?? 0) === 0) return { sequence: 0 };
    if (expected !== undefined) throw ConversationConflictError.between(conversationId, expected, sequence);
    throw new VernalError('The database did not take the write; is its dialect the right one?', {
      code: 'store_write',
      subject: 'dialect',
    });
  }

  async #runOn(
    options: SignalOptions,
    statements: (session: JdbcSession) => readonly SqlStatement[],
  ): Promise<readonly SqlResult[]> {
    return this.#run(statements(await this.#connection.session(options)), 'store_write', options);
  }

  #run(
    statements: readonly SqlStatement[],
    errorCode: 'store_read' | 'store_write',
    options: SignalOptions,
  ): Promise<readonly SqlResult[]> {
    return this.#connection.run(statements, errorCode, options);
  }
}

function sliceOf(conversationId: string, result: SqlResult | undefined): ConversationSlice {
  const rows = result?.rows ?? [];
  const found = rows
    .filter((row) => row['sequence'] !== null)
    .map((row) => ({ sequence: Number(row['sequence']), message: row['message'] }))
    .sort((a, b) => a.sequence - b.sequence);
  return {
    messages: found.map(({ sequence, message }) => restoredMessage(message, { conversationId, sequence })),
    sequences: found.map(({ sequence }) => sequence),
    sequence: Number(rows[0]?.['last_sequence'] ?? 0),
  };
}
