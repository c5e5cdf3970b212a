import { type SignalOptions, throwIfAborted } from '@vernal/core';
import type { Collection } from 'mongodb';
import { committedHead, isOver, READ_OPTIONS } from './conversation-head.js';
import type { MemoryDocument } from './memory-document.js';
import type { MemorySettings } from './memory-settings.js';
import type { MongoConnection } from './mongo-connection.js';

/** A mark that lists a conversation, as far as it is read. */
type Listed = Pick<MemoryDocument, 'conversationId' | 'listed' | 'until'>;

/** The stored ids of conversations with messages, by their keys, a page at a time. */
export async function* listedConversations(
  connection: MongoConnection,
  { pageSize }: MemorySettings,
  { signal }: SignalOptions,
): AsyncIterable<string> {
  let after = '';
  for (;;) {
    const page = await connection.run('store_read', signal, (collection) =>
      pageAfter(collection, after, pageSize, signal),
    );
    for (const { conversationId = '', listed = '', until } of page) {
      throwIfAborted(signal);
      // What a replacing write that was cut short has left.
      if (listed === after) continue;
      after = listed;
      // The mark says when it ends at the earliest; later appends may have put that off.
      if (until !== undefined && isOver({ until }) && !(await isAlive(connection, listed, signal))) continue;
      yield conversationId;
    }
    if (page.length < pageSize) return;
  }
}

function pageAfter(
  collection: Collection<MemoryDocument>,
  after: string,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<Listed[]> {
  const projection = { _id: 0, conversationId: 1, listed: 1, until: 1 } as const;
  const options = { ...READ_OPTIONS, projection, sort: { listed: 1 }, limit, batchSize: limit + 1, signal } as const;
  return collection.find<Listed>({ listed: { $gt: after } }, options).toArray();
}

async function isAlive(connection: MongoConnection, key: string, signal: AbortSignal | undefined): Promise<boolean> {
  const head = await connection.run('store_read', signal, (collection) => committedHead(collection, key, signal));
  return head !== undefined && !isOver(head);
}
