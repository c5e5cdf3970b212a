import {
  assistantMessage,
  type CallContext,
  type Message,
  type Metadata,
  systemMessage,
  throwIfAborted,
  untilAborted,
  userMessage,
  VernalError,
} from '@vernal/core';
import type { Collection, Document } from 'mongodb';
import { mongoError } from './mongo-error.js';
import { PLAIN_VALUES } from './plain-values.js';

/** May be left out. */
export interface SpringAiMongoOptions extends CallContext {}

/** A conversation as Spring AI has stored it. */
export interface SpringAiMongoConversation {
  readonly conversationId: string;
  /** Oldest first; of each, `metadata.timestamp` is when it was stored, in ISO 8601, unless it brings one. */
  readonly messages: readonly Message[];
  /** How many documents are of the type TOOL: they hold no call that they answer, and are left out. */
  readonly skipped: number;
}

/**
 * The conversations in the collection of Spring AI's `MongoChatMemoryRepository`, which is `ai_chat_memory`: documents with `conversationId`,
 * `message` and `timestamp`, in the order of their times, and of their ids where these are equal. Nothing is written to it. One conversation at
 * a time is in memory.
 *
 * @throws VernalError `store_read` when the server refuses, or the collection holds a type that it does not know
 */
export async function* springAiMongoConversations(
  collection: Collection,
  { signal }: SpringAiMongoOptions = {},
): AsyncIterable<SpringAiMongoConversation> {
  const pipeline = [{ $group: { _id: '$conversationId' } }, { $sort: { _id: 1 } }];
  const ids = collection.aggregate<{ _id: string }>(pipeline, { ...PLAIN_VALUES, allowDiskUse: true, signal });
  try {
    for (;;) {
      throwIfAborted(signal);
      const next = await reading(ids.next(), signal);
      if (next === null) return;
      const documents = collection
        .find({ conversationId: next._id }, { ...PLAIN_VALUES, sort: { timestamp: 1, _id: 1 }, signal })
        .toArray();
      yield conversationOf(String(next._id), await reading(documents, signal));
    }
  } finally {
    await ids.close();
  }
}

async function reading<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await untilAborted(work, signal);
  } catch (error) {
    throwIfAborted(signal);
    throw mongoError(error, 'store_read');
  }
}

function conversationOf(conversationId: string, documents: readonly Document[]): SpringAiMongoConversation {
  const messages = documents.map(messageOf).filter((message) => message !== undefined);
  return { conversationId, messages, skipped: documents.length - messages.length };
}

function messageOf(document: Document): Message | undefined {
  const { content, type, metadata: own } = Object(document['message']) as Record<string, unknown>;
  const text = typeof content === 'string' ? content : '';
  const { timestamp } = document;
  const time = timestamp instanceof Date ? { timestamp: timestamp.toISOString() } : {};
  // What BSON has beyond JSON, such as an ObjectId, is what its JSON says.
  const metadata: Metadata = { ...time, ...(JSON.parse(JSON.stringify(own ?? {})) as Metadata) };
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
        'A document has a type other than USER, ASSISTANT, SYSTEM and TOOL: is this the collection of Spring AI?',
        { code: 'store_read', subject: 'collection' },
      );
  }
}
