import {
  type ChatMemoryRepository,
  type ConversationSlice,
  checkConversationId,
  checkWrite,
  type DeleteBeforeOptions,
  type FindMessagesOptions,
  type Message,
  type SignalOptions,
  throwIfAborted,
  type WriteOptions,
} from '@vernal/core';
import { conversationKey, findRange, storableText } from '@vernal/core/adapter';
import type { CassandraChatMemoryRepositoryOptions } from './cassandra-chat-memory-repository-options.js';
import { CassandraConnection } from './cassandra-connection.js';
import { ConversationTurns } from './conversation-turns.js';
import { deleteConversation } from './delete-conversation.js';
import { findConversation } from './find-conversation.js';
import { listConversations } from './list-conversations.js';
import type { MemorySession } from './memory-session.js';
import { memorySettings } from './memory-settings.js';
import { memoryStatements } from './memory-statements.js';
import { plannedWrite } from './planned-write.js';
import { trimConversation } from './trim-conversation.js';
import { writeConversation } from './write-conversation.js';

/**
 * Conversations in Apache Cassandra, each a partition of a time series, the newest message first. Messages are kept whole, as `encodeMessage`
 * writes them; large ones in parts. A write is one conditional batch (a lightweight transaction) on the partition; when its answer is lost, it is
 * found out whether it has landed before it is sent again.
 *
 * Errors: `store_read` and `store_write` for what the cluster refuses, `conversation_conflict`, `message_version`, `missing_conversation_id`,
 * `invalid_argument` for lists of more than 10,000 messages and messages of more than 64 Mi characters, `invalid_state` once it is closed or when
 * a later release wrote the conversation.
 *
 * Source: `CassandraChatMemoryRepository` of spring-ai-model-chat-memory-repository-cassandra, whose table
 * `springAiCassandraConversations` reads.
 *
 * @example
 * ```ts
 * const repository = new CassandraChatMemoryRepository({ url: 'cassandra://127.0.0.1:9042', initializeSchema: 'always' });
 * const chatMemory = new MessageWindowChatMemory({ repository });
 * ```
 */
export class CassandraChatMemoryRepository implements ChatMemoryRepository {
  readonly #session: MemorySession;
  readonly #turns = new ConversationTurns();
  readonly #pageSize: number;

  /** @throws VernalError `invalid_argument` for options that cannot be right, and for names that are no option */
  constructor(options: CassandraChatMemoryRepositoryOptions) {
    const settings = memorySettings(options);
    const connection = new CassandraConnection(settings);
    this.#session = { connection, cql: memoryStatements(settings), names: settings.names };
    this.#pageSize = settings.pageSize;
  }

  /** In the order of their tokens, each once; those without messages are left out. Reads through the whole table. */
  findConversationIds(options: SignalOptions = {}): AsyncIterable<string> {
    return listConversations(this.#session, this.#pageSize, options);
  }

  async findByConversationId(conversationId: string, options: FindMessagesOptions = {}): Promise<ConversationSlice> {
    const key = await conversationKey(conversationId);
    return findConversation(this.#session, { key, conversationId }, findRange(options), options.signal);
  }

  /** At most 10,000 messages at once. */
  async append(
    conversationId: string,
    messages: readonly Message[],
    options: WriteOptions = {},
  ): Promise<{ readonly sequence: number }> {
    return this.#write(conversationId, messages, false, options);
  }

  /** At most 10,000 messages. */
  async saveAll(
    conversationId: string,
    messages: readonly Message[],
    options: WriteOptions = {},
  ): Promise<{ readonly sequence: number }> {
    return this.#write(conversationId, messages, true, options);
  }

  async deleteBefore(conversationId: string, sequence: number, options: DeleteBeforeOptions = {}): Promise<void> {
    const { keepSystem = false, signal } = options;
    const { before } = findRange({ before: sequence });
    await this.#inTurn(conversationId, signal, async (key) => {
      if (before !== 0) await trimConversation(this.#session, { key, before, keepSystem }, signal);
    });
  }

  async deleteByConversationId(conversationId: string, { signal }: SignalOptions = {}): Promise<void> {
    await this.#inTurn(conversationId, signal, (key) => deleteConversation(this.#session, key, signal));
  }

  /** Closes what a `url` or `contactPoints` have opened; a `client` stays open. */
  async close(): Promise<void> {
    await this.#session.connection.close();
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
    const { expectedSequence: expected, signal } = options;
    // As they are now, whatever becomes of the list while this one waits.
    const plan = plannedWrite(messages);
    const storedId = storableText(conversationId);
    return this.#inTurn(conversationId, signal, (key) =>
      writeConversation(this.#session, { key, conversationId, storedId, plan, replaces, expected }, signal),
    );
  }

  async #inTurn<T>(
    conversationId: string,
    signal: AbortSignal | undefined,
    work: (key: string) => Promise<T>,
  ): Promise<T> {
    const key = await conversationKey(conversationId);
    throwIfAborted(signal);
    return this.#turns.run(key, signal, () => work(key));
  }
}
