import {
  type ChatMemoryRepository,
  type ConversationSlice,
  checkConversationId,
  checkWrite,
  type DeleteBeforeOptions,
  type FindMessagesOptions,
  type Message,
  type SignalOptions,
  type WriteOptions,
} from '@vernal/core';
import { conversationKey, findRange, restoredText, storableText, storedMessage } from '@vernal/core/adapter';
import { listedConversations } from './conversation-list.js';
import { deleteConversation } from './delete-conversation.js';
import { NO_SLOT } from './memory-document.js';
import type { MemoryPlace } from './memory-place.js';
import { type MemorySettings, memorySettings } from './memory-settings.js';
import type { MongoChatMemoryRepositoryOptions } from './mongo-chat-memory-repository-options.js';
import { MongoConnection } from './mongo-connection.js';
import { readConversation } from './read-conversation.js';
import { trimConversation } from './trim-conversation.js';
import { writeConversation } from './write-conversation.js';
import { checkSizes } from './written-documents.js';

/**
 * Conversations in a collection of MongoDB, one document a message: whole, as `encodeMessage` writes it, and beside it its type and its text,
 * for people. No transaction is needed, so a server that is no replica set will do. An append is one insert between two reads of one document,
 * however long the conversation is; a write whose answer was lost is looked for, and done once.
 *
 * Errors: `store_read` and `store_write` for what the server refuses, `conversation_conflict`, `message_version`, `missing_conversation_id`,
 * `invalid_argument` for a message over 16 MB, `invalid_state` once it is closed or when a later release wrote the conversation.
 *
 * Source: `MongoChatMemoryRepository` of spring-ai-model-chat-memory-repository-mongodb, whose collection `springAiMongoConversations` reads.
 *
 * @example
 * ```ts
 * const repository = new MongoChatMemoryRepository({ client: new MongoClient(url), initializeSchema: 'always' });
 * const chatMemory = new MessageWindowChatMemory({ repository });
 * ```
 */
export class MongoChatMemoryRepository implements ChatMemoryRepository {
  readonly #settings: MemorySettings;
  readonly #connection: MongoConnection;

  /** @throws VernalError `invalid_argument` for options that cannot be right, and for names that are no option */
  constructor(options: MongoChatMemoryRepositoryOptions) {
    this.#settings = memorySettings(options);
    this.#connection = new MongoConnection(options, this.#settings);
  }

  /** By the key of the conversation. Those without messages are left out. */
  async *findConversationIds(options: SignalOptions = {}): AsyncIterable<string> {
    for await (const id of listedConversations(this.#connection, this.#settings, options)) yield restoredText(id);
  }

  async findByConversationId(conversationId: string, options: FindMessagesOptions = {}): Promise<ConversationSlice> {
    const range = findRange(options);
    return this.#run('store_read', conversationId, options, (place) => readConversation(place, range));
  }

  /** Renews `ttlMs` for the whole conversation. */
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
    const { before = NO_SLOT } = findRange({ before: sequence });
    const trim = { before, keepSystem: options.keepSystem === true };
    await this.#run('store_write', conversationId, options, (place) => trimConversation(place, trim));
  }

  async deleteByConversationId(conversationId: string, options: SignalOptions = {}): Promise<void> {
    await this.#run('store_write', conversationId, options, deleteConversation);
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
    checkSizes(conversationId, stored);
    const write = { messages: stored, replaces, expected: options.expectedSequence, ttlMs: this.#settings.ttlMs };
    const sequence = await this.#run('store_write', conversationId, options, (place) =>
      writeConversation(place, write),
    );
    return { sequence };
  }

  async #run<T>(
    code: 'store_read' | 'store_write',
    conversationId: string,
    { signal }: SignalOptions,
    use: (place: MemoryPlace) => Promise<T>,
  ): Promise<T> {
    const key = await conversationKey(conversationId);
    const storedId = storableText(conversationId);
    return this.#connection.run(code, signal, (collection) =>
      use({ collection, conversationId, storedId, key, signal }),
    );
  }
}
