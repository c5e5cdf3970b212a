import {
  assistantMessage,
  type Message,
  type Metadata,
  type SignalOptions,
  systemMessage,
  throwIfAborted,
  untilAborted,
  userMessage,
  VernalError,
} from '@vernal/core';
import { requireOptionNames } from '@vernal/core/adapter';
import { cassandraError } from './cassandra-error.js';
import type { CassandraMemoryClient, CassandraMemoryResult } from './cassandra-memory-client.js';
import { consistencyCode } from './consistency.js';
import { checkedName, quotedName } from './memory-names.js';

/** Where Spring AI's table is, as it is configured there. All may be left out. */
export interface SpringAiCassandraOptions extends SignalOptions {
  /** Default `'springframework'`. */
  readonly keyspace?: string | undefined;
  /** Default `'ai_chat_memory'`. */
  readonly table?: string | undefined;
  /** The partition key. Default `'session_id'`. */
  readonly sessionIdColumn?: string | undefined;
  /** Default `'messages'`. */
  readonly messagesColumn?: string | undefined;
}

/** A conversation as Spring AI has stored it. */
export interface SpringAiCassandraConversation {
  readonly conversationId: string;
  /** Oldest first; of each, `metadata.timestamp` is when it was stored, in ISO 8601. */
  readonly messages: readonly Message[];
  /** How many are of the type TOOL: they hold no call that they answer, and are left out. */
  readonly skipped: number;
}

const PAGE = 100;

/**
 * The conversations in the table of Spring AI's `CassandraChatMemoryRepository`: the newest row of each session, which holds all of its messages.
 * Nothing is written. Those that were cleared, which leaves an empty row, are left out.
 *
 * @throws VernalError `invalid_argument` for options that cannot be right, `store_read` for what the cluster refuses and for a type that Spring AI
 * does not write
 * @example
 * ```ts
 * for await (const { conversationId, messages } of springAiCassandraConversations(client))
 *   await repository.append(conversationId, messages, { expectedSequence: 0 });
 * ```
 */
export async function* springAiCassandraConversations(
  client: CassandraMemoryClient,
  options: SpringAiCassandraOptions = {},
): AsyncIterable<SpringAiCassandraConversation> {
  requireOptionNames(options, ['keyspace', 'table', 'sessionIdColumn', 'messagesColumn', 'signal']);
  const { signal } = options;
  const query = statementFor(options);
  let pageState: string | undefined;
  do {
    const page = await read(client, query, pageState, signal);
    for (const { sessionId, messages } of page.rows ?? []) {
      throwIfAborted(signal);
      const stored = Array.isArray(messages) ? messages : [];
      if (stored.length > 0) yield conversationOf(String(sessionId), stored);
    }
    pageState = page.pageState ?? undefined;
  } while (pageState !== undefined);
}

function statementFor(options: SpringAiCassandraOptions): string {
  const { keyspace = 'springframework', table = 'ai_chat_memory' } = options;
  const { sessionIdColumn = 'session_id', messagesColumn = 'messages' } = options;
  const from = `${checkedName(keyspace, 'keyspace')}.${checkedName(table, 'table')}`;
  const sessionId = quotedName(sessionIdColumn, 'sessionIdColumn');
  const messages = quotedName(messagesColumn, 'messagesColumn');
  return `SELECT ${sessionId} AS "sessionId", ${messages} AS "messages" FROM ${from} PER PARTITION LIMIT 1`;
}

async function read(
  client: CassandraMemoryClient,
  query: string,
  pageState: string | undefined,
  signal: AbortSignal | undefined,
): Promise<CassandraMemoryResult> {
  throwIfAborted(signal);
  const fixed = {
    prepare: true,
    consistency: consistencyCode('localQuorum'),
    isIdempotent: true,
    fetchSize: PAGE,
  } as const;
  try {
    const result = client.execute(query, [], pageState === undefined ? fixed : { ...fixed, pageState });
    return await untilAborted(result, signal);
  } catch (error) {
    throwIfAborted(signal);
    throw cassandraError(error, 'store_read');
  }
}

function conversationOf(conversationId: string, stored: readonly unknown[]): SpringAiCassandraConversation {
  const messages = stored.map(messageOf).filter((message) => message !== undefined);
  return { conversationId, messages, skipped: stored.length - messages.length };
}

function messageOf(stored: unknown): Message | undefined {
  const { msg_timestamp: time, msg_type: type, msg_content: content } = Object(stored) as Record<string, unknown>;
  const text = typeof content === 'string' ? content : '';
  const metadata: Metadata = time instanceof Date ? { timestamp: time.toISOString() } : {};
  switch (type) {
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
        'A message has a type other than USER, ASSISTANT, SYSTEM and TOOL: is this the table of Spring AI?',
        { code: 'store_read', subject: 'table' },
      );
  }
}
