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
  type WriteOptions,
} from '@vernal/core';
import { conversationKey, findRange, restoredText } from '@vernal/core/adapter';
import { type ConversationKeys, conversationKeys } from './conversation-keys.js';
import { listedConversations } from './conversation-list.js';
import type { FoundMessage } from './found-message.js';
import { otherLayout } from './layout-error.js';
import { type MemorySettings, memorySettings } from './memory-settings.js';
import type { RedisChatMemoryRepositoryOptions } from './redis-chat-memory-repository-options.js';
import { RedisConnection } from './redis-connection.js';
import type { RedisMemoryArgument } from './redis-memory-client.js';
import type { RedisScript } from './redis-script.js';
import { DELETE_BEFORE } from './scripts/delete-before-script.js';
import { DELETE } from './scripts/delete-script.js';
import { FIND } from './scripts/find-script.js';
import { WRITE } from './scripts/write-script.js';
import { MemoryIndex } from './search/memory-index.js';
import { contentQuery, metadataQuery, ownQuery, timeQuery, typeQuery } from './search/memory-query.js';
import { MemorySearch } from './search/memory-search.js';
import type { RedisMemoryQueryOptions, RedisMemorySearchOptions } from './search/search-options.js';
import { storedEntry } from './stored-entry.js';
import { writeArguments } from './write-arguments.js';

/**
 * Conversations in Redis, Valkey, or a cluster of them. Messages are kept whole, as `encodeMessage` writes them, in one hash a conversation;
 * every call is one script, which the server runs in one step. An append that the driver sends again, because its reply was lost with the
 * connection, is done once. With `search` the query engine finds messages by words, type, time and metadata.
 *
 * Errors: `store_read` and `store_write` for what the server refuses, `timeout`, `conversation_conflict`, `message_version`,
 * `missing_conversation_id`, `invalid_state` once it is closed or when a later release wrote the conversation; `unsupported_capability` for
 * searching without a query engine or `search`.
 *
 * Source: `RedisChatMemoryRepository` and `AdvancedRedisChatMemoryRepository` of spring-ai-model-chat-memory-repository-redis, whose layout is
 * another one.
 *
 * @example
 * ```ts
 * const repository = new RedisChatMemoryRepository({ client: new Redis(url), ttlMs: 7 * 24 * 3_600_000 });
 * const chatMemory = new MessageWindowChatMemory({ repository });
 * ```
 */
export class RedisChatMemoryRepository implements ChatMemoryRepository {
  readonly #settings: MemorySettings;
  readonly #connection: RedisConnection;
  readonly #index: MemoryIndex;
  readonly #search: MemorySearch;

  /** @throws VernalError `invalid_argument` for options that cannot be right, and for names that are no option */
  constructor(options: RedisChatMemoryRepositoryOptions) {
    this.#settings = memorySettings(options);
    this.#connection = new RedisConnection(options, this.#settings.timeoutMs);
    this.#index = new MemoryIndex(this.#connection, this.#settings);
    this.#search = new MemorySearch(this.#connection, this.#settings, this.#index);
  }

  /**
   * In no order, each once, those without messages left out. Looks through the keys of the server, `pageSize` at a time, which takes long
   * where other keys are many; and remembers what it gave, some 100 bytes an id.
   */
  async *findConversationIds(options: SignalOptions = {}): AsyncIterable<string> {
    for await (const id of listedConversations(this.#connection, this.#settings, options)) yield restoredText(id);
  }

  async findByConversationId(conversationId: string, options: FindMessagesOptions = {}): Promise<ConversationSlice> {
    const { keys } = await this.#place(conversationId);
    const { last, before, includeSystem } = findRange(options);
    const args = [last ?? '', before ?? '', includeSystem ? '1' : '0'];
    const [, sequence, ...pairs] = await this.#run(FIND, 'store_read', keys, args, options);
    const found: { readonly sequence: number; readonly entry: string }[] = [];
    for (let at = 0; at < pairs.length; at += 2)
      found.push({ sequence: Number(pairs[at]), entry: String(pairs[at + 1]) });
    found.sort((a, b) => a.sequence - b.sequence);
    return {
      messages: found.map(({ sequence, entry }) => storedEntry(entry, { conversationId, sequence }).message),
      sequences: found.map(({ sequence }) => sequence),
      sequence: Number(sequence),
    };
  }

  /** Renews `ttlMs` for the whole conversation. */
  async append(
    conversationId: string,
    messages: readonly Message[],
    options: WriteOptions = {},
  ): Promise<{ readonly sequence: number }> {
    return this.#write('append', conversationId, messages, options);
  }

  async saveAll(
    conversationId: string,
    messages: readonly Message[],
    options: WriteOptions = {},
  ): Promise<{ readonly sequence: number }> {
    return this.#write('replace', conversationId, messages, options);
  }

  async deleteBefore(conversationId: string, sequence: number, options: DeleteBeforeOptions = {}): Promise<void> {
    const { keys } = await this.#place(conversationId);
    const { before } = findRange({ before: sequence });
    await this.#run(
      DELETE_BEFORE,
      'store_write',
      keys,
      [before ?? '', options.keepSystem ? '1' : '0', keys.copies],
      options,
    );
  }

  async deleteByConversationId(conversationId: string, options: SignalOptions = {}): Promise<void> {
    const { keys } = await this.#place(conversationId);
    await this.#run(DELETE, 'store_write', keys, [keys.copies], options);
  }

  /**
   * Messages of all conversations that hold these words one after the other, whatever their case and what stands between them; the oldest
   * first. What looks like a query is text here.
   */
  async findByContent(content: string, options: RedisMemorySearchOptions = {}): Promise<FoundMessage[]> {
    return this.#search.find(contentQuery(content), options);
  }

  /** The oldest first. */
  async findByType(type: Message['type'], options: RedisMemorySearchOptions = {}): Promise<FoundMessage[]> {
    return this.#search.find(typeQuery(type), options);
  }

  /** Of one conversation, or of all for undefined: what was stored from `from` to `to`, both included; the oldest first. */
  async findByTimeRange(
    conversationId: string | undefined,
    from: Date | number,
    to: Date | number,
    options: RedisMemorySearchOptions = {},
  ): Promise<FoundMessage[]> {
    return this.#search.find(await timeQuery(conversationId, from, to), options);
  }

  /** By a key of `metadataFields`: an equal number or value, one of a list, or for the type `'text'` these words; the oldest first. */
  async findByMetadata(
    key: string,
    value: string | number | boolean,
    options: RedisMemorySearchOptions = {},
  ): Promise<FoundMessage[]> {
    return this.#search.find(metadataQuery(key, value, this.#settings.fields), options);
  }

  /**
   * By a query in the language of the engine, over `conversation`, `sequence`, `type`, `createdAt`, `words` and `metadata_NAME`. Whoever may
   * write the query may read every conversation: give values of others as `params` only. The oldest first.
   */
  async executeQuery(query: string, options: RedisMemoryQueryOptions = {}): Promise<FoundMessage[]> {
    return this.#search.find(ownQuery(query, options.params), options);
  }

  /** Closes what a `url` has opened; a `client` stays open. */
  async close(): Promise<void> {
    await this.#connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #write(
    mode: 'append' | 'replace',
    conversationId: string,
    messages: readonly Message[],
    options: WriteOptions,
  ): Promise<{ readonly sequence: number }> {
    checkConversationId(conversationId);
    checkWrite(messages, options);
    const { key, keys } = await this.#place(conversationId);
    const args = writeArguments(mode, { conversationId, key, keys }, messages, this.#settings, options);
    const [outcome, at] = await this.#run(WRITE, 'store_write', keys, args, options);
    const sequence = Number(at);
    if (outcome === 'conflict')
      throw ConversationConflictError.between(conversationId, options.expectedSequence ?? 0, sequence);
    return { sequence };
  }

  async #place(conversationId: string): Promise<{ readonly key: string; readonly keys: ConversationKeys }> {
    const key = await conversationKey(conversationId);
    return { key, keys: conversationKeys(this.#settings.keyPrefix, key) };
  }

  async #run(
    script: RedisScript,
    code: 'store_read' | 'store_write',
    { conversation, systems, writes }: ConversationKeys,
    args: readonly RedisMemoryArgument[],
    { signal }: SignalOptions,
  ): Promise<readonly unknown[]> {
    await this.#index.ensure(signal);
    const reply = (await this.#connection.run(code, signal, (client) =>
      script.run(client, [conversation, systems, writes], args, signal),
    )) as readonly unknown[];
    if (reply[0] === 'layout') throw otherLayout();
    return reply;
  }
}
