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
  type WriteOptions,
} from '@vernal/core';
import { conversationKey, findRange, restoredMessage, restoredText, storableText } from '@vernal/core/adapter';
import type { CypherStatement } from './cypher-statement.js';
import { deleteBeforeStatement, deleteStatement } from './delete-statements.js';
import { deletedMeanwhile, LAYOUT, otherLayout } from './layout-error.js';
import { MemorySchema } from './memory-schema.js';
import { type MemorySettings, memorySettings } from './memory-settings.js';
import { messageNode } from './message-node.js';
import type { Neo4jChatMemoryRepositoryOptions } from './neo4j-chat-memory-repository-options.js';
import { Neo4jConnection } from './neo4j-connection.js';
import type { Neo4jMemoryRecord } from './neo4j-memory-driver.js';
import { findStatement, listStatement } from './read-statements.js';
import { writeStatement } from './write-statements.js';

/**
 * Conversations in the graph of Neo4j. A message is read from one property of its node, where it is whole, as `encodeMessage` writes it; tool
 * calls, what tools gave, media and metadata are nodes beside it, for people who ask the graph. Every call is one statement, one transaction
 * and one round trip.
 *
 * Errors: `store_read` and `store_write` for what the server refuses, `timeout`, `conversation_conflict`, `message_version`,
 * `missing_conversation_id`, `invalid_state` once it is closed, when the constraint is missing, or when a later release wrote the conversation.
 *
 * Source: `Neo4jChatMemoryRepository` of spring-ai-model-chat-memory-repository-neo4j, whose nodes have other labels and properties.
 *
 * @example
 * ```ts
 * const repository = new Neo4jChatMemoryRepository({ driver: neo4j.driver(url, auth), initializeSchema: 'always' });
 * const chatMemory = new MessageWindowChatMemory({ repository });
 * ```
 */
export class Neo4jChatMemoryRepository implements ChatMemoryRepository {
  readonly #settings: MemorySettings;
  readonly #connection: Neo4jConnection;
  readonly #schema: MemorySchema;

  /** @throws VernalError `invalid_argument` for options that cannot be right, and for names that are no option */
  constructor(options: Neo4jChatMemoryRepositoryOptions) {
    this.#settings = memorySettings(options);
    this.#connection = new Neo4jConnection(options, this.#settings);
    this.#schema = new MemorySchema(this.#connection, this.#settings);
  }

  /** By the key of the conversation, `pageSize` at a time. Those without messages are left out. */
  async *findConversationIds(options: SignalOptions = {}): AsyncIterable<string> {
    const { labels, pageSize } = this.#settings;
    for (let after = ''; ; ) {
      const rows = await this.#run(listStatement(labels, after, pageSize), 'store_read', options);
      for (const row of rows) {
        throwIfAborted(options.signal);
        yield restoredText(String(row.get('id')));
      }
      if (rows.length < pageSize) return;
      after = String(rows.at(-1)?.get('key'));
    }
  }

  async findByConversationId(conversationId: string, options: FindMessagesOptions = {}): Promise<ConversationSlice> {
    const key = await conversationKey(conversationId);
    const statement = findStatement(this.#settings.labels, key, findRange(options));
    const row = await this.#conversation(statement, 'store_read', options);
    if (row === undefined) return { messages: [], sequences: [], sequence: 0 };
    const pairs = [...listOf(row, 'systems'), ...listOf(row, 'found')] as (readonly [unknown, unknown])[];
    // System messages of the range come twice.
    const found = new Map(pairs.map(([sequence, message]) => [Number(sequence), message]));
    const sequences = [...found.keys()].sort((a, b) => a - b);
    return {
      messages: sequences.map((sequence) => restoredMessage(found.get(sequence), { conversationId, sequence })),
      sequences,
      sequence: Number(row.get('sequence')),
    };
  }

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
    const key = await conversationKey(conversationId);
    const { before } = findRange({ before: sequence });
    const range = { key, before, keepSystem: options.keepSystem ?? false };
    await this.#conversation(deleteBeforeStatement(this.#settings.labels, range), 'store_write', options);
  }

  async deleteByConversationId(conversationId: string, options: SignalOptions = {}): Promise<void> {
    const key = await conversationKey(conversationId);
    await this.#conversation(deleteStatement(this.#settings.labels, key), 'store_write', options);
  }

  /** Closes what a `url` has opened; a `driver` stays open. */
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
    const key = await conversationKey(conversationId);
    const nodes = messages.map(messageNode);
    const token = globalThis.crypto.randomUUID();
    const write = { mode, key, id: storableText(conversationId), token, messages: nodes, options };
    const row = await this.#conversation(writeStatement(this.#settings.labels, write), 'store_write', options);
    const before = Number(row?.get('before') ?? 0);
    const [done] = row === undefined ? [] : listOf(row, 'done');
    // An earlier try has landed, and its answer was lost.
    if (done !== undefined) return { sequence: Number(String(done).slice(token.length)) };
    const { expectedSequence: expected = before } = options;
    if (expected !== before) throw ConversationConflictError.between(conversationId, expected, before);
    return { sequence: before + (row === undefined ? 0 : nodes.length) };
  }

  /** The row of a statement that returns `layout`; none where there is no such conversation. */
  async #conversation(
    statement: CypherStatement,
    code: 'store_read' | 'store_write',
    options: SignalOptions,
  ): Promise<Neo4jMemoryRecord | undefined> {
    const [row] = await this.#run(statement, code, options, ([found]) => found !== undefined && wasDeleted(found));
    if (row === undefined) return undefined;
    if (wasDeleted(row)) throw deletedMeanwhile(code);
    if (!(Number(row.get('layout')) <= LAYOUT)) throw otherLayout();
    return row;
  }

  async #run(
    statement: CypherStatement,
    code: 'store_read' | 'store_write',
    { signal }: SignalOptions,
    isAgain?: (rows: readonly Neo4jMemoryRecord[]) => boolean,
  ): Promise<readonly Neo4jMemoryRecord[]> {
    throwIfAborted(signal);
    await this.#schema.ensure(signal);
    return this.#connection.run(statement, code, signal, isAgain);
  }
}

function listOf(row: Neo4jMemoryRecord, name: string): readonly unknown[] {
  const list = row.get(name);
  return Array.isArray(list) ? list : [];
}

/**
 * A node that somebody deletes while a statement waits for it has no properties any more. Neo4j says so by an error, or goes on with nulls, for
 * which no statement writes anything.
 */
function wasDeleted(row: Neo4jMemoryRecord): boolean {
  return row.get('layout') === null;
}
