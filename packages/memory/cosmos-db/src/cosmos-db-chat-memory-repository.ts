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
  untilAborted,
  type WriteOptions,
} from '@vernal/core';
import { conversationKey, findRange, restoredText, storedMessage } from '@vernal/core/adapter';
import { ConversationPartition, OF_THE_SESSION } from './conversation-partition.js';
import { CosmosConnection } from './cosmos-connection.js';
import type { CosmosDbChatMemoryRepositoryOptions } from './cosmos-db-chat-memory-repository-options.js';
import { cosmosErrorFrom } from './cosmos-error.js';
import { deleteConversation } from './delete-conversation.js';
import { findMessages } from './find-messages.js';
import { trimConversation, writeMessages } from './write-conversation.js';

/**
 * Conversations in a container of Azure Cosmos DB for NoSQL, each in a logical partition of its own. Messages are kept whole, as
 * `encodeMessage` writes them; beside each stand its type and its text, for people. Every write ends in one transactional batch.
 * Source: `CosmosDBChatMemoryRepository` of spring-ai-model-chat-memory-repository-cosmos-db.
 *
 * Errors: `store_read` and `store_write` for what the service refuses, with its status in `details`; `conversation_conflict`,
 * `message_version`, `missing_conversation_id`; `invalid_state` once it is closed, or for a container of another kind.
 *
 * @example
 * ```ts
 * const repository = new CosmosDbChatMemoryRepository({ endpoint, key, initializeSchema: 'always' });
 * const chatMemory = new MessageWindowChatMemory({ repository });
 * ```
 */
export class CosmosDbChatMemoryRepository implements ChatMemoryRepository {
  readonly #connection: CosmosConnection;

  /** Throws `invalid_argument` for options that cannot be. */
  constructor(options: CosmosDbChatMemoryRepositoryOptions) {
    this.#connection = new CosmosConnection(options);
  }

  /** In the order of the service, a page at a time. Conversations without messages are left out. */
  async *findConversationIds({ signal }: SignalOptions = {}): AsyncIterable<string> {
    const container = await this.#connection.container('store_read', signal);
    const query = {
      query: "SELECT VALUE c.conversationId FROM c WHERE c.kind = 'conversation' AND c.hasMessages = true",
      parameters: [],
    };
    const pages = container.items.query<string>(query, {
      ...OF_THE_SESSION,
      maxItemCount: this.#connection.settings.pageSize,
      ...(signal && { abortSignal: signal }),
    });
    while (pages.hasMoreResults()) {
      const { resources = [] } = await untilAborted(pages.fetchNext(), signal).catch((error: unknown) => {
        throw cosmosErrorFrom(error, 'store_read', signal);
      });
      for (const id of resources) {
        throwIfAborted(signal);
        yield restoredText(id);
      }
      await this.#connection.container('store_read', signal);
    }
  }

  async findByConversationId(conversationId: string, options: FindMessagesOptions = {}): Promise<ConversationSlice> {
    const key = await conversationKey(conversationId);
    const range = findRange(options);
    return findMessages(await this.#partition(key, 'store_read', options.signal), conversationId, range);
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
    const { keepSystem = false, signal } = options;
    await trimConversation(await this.#partition(key, 'store_write', signal), before, keepSystem, signal);
  }

  async deleteByConversationId(conversationId: string, { signal }: SignalOptions = {}): Promise<void> {
    const key = await conversationKey(conversationId);
    await deleteConversation(await this.#partition(key, 'store_write', signal));
  }

  /** Disposes of the client that an `endpoint` was given one for; others are left alone. */
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
    const { expectedSequence: expected, signal } = options;
    const stored = messages.map(storedMessage);
    const partition = await this.#partition(await conversationKey(conversationId), 'store_write', signal);
    const { ttl } = this.#connection.settings;
    const write = { conversationId, messages: stored, replaces, expected, ttl };
    return { sequence: await writeMessages(partition, write, signal) };
  }

  async #partition(
    key: string,
    errorCode: 'store_read' | 'store_write',
    signal: AbortSignal | undefined,
  ): Promise<ConversationPartition> {
    return new ConversationPartition(await this.#connection.container(errorCode, signal), key, errorCode, signal);
  }
}
