import type { Collection, IndexDescription } from 'mongodb';
import type { MemoryDocument } from './memory-document.js';
import { isNotImplemented } from './mongo-error.js';
import { PLAIN_VALUES } from './plain-values.js';

const OWN: readonly IndexDescription[] = [
  { name: 'vernal_conversation', key: { conversationId: 1, type: 1, sequence: 1 } },
  { name: 'vernal_listed', key: { listed: 1 }, sparse: true },
];
const TTL: IndexDescription = { name: 'vernal_expires', key: { expiresAt: 1 }, expireAfterSeconds: 0, sparse: true };

/**
 * The indexes beside that of `_id`, for tools of your own: `db.collection('vernal_chat_memory').createIndexes([...MONGO_MEMORY_INDEXES])`. The
 * first finds system messages, and the messages of an id for people; the second lists conversations; the third is the TTL index, which does not
 * depend on `ttlMs`: every document has a date of its own.
 */
export const MONGO_MEMORY_INDEXES: readonly IndexDescription[] = [...OWN, TTL];

/** Makes what is missing, one by one. A server without TTL indexes will do where nothing is to expire. */
export async function createIndexes(collection: Collection<MemoryDocument>, needsTtl: boolean): Promise<void> {
  for (const index of OWN) await collection.createIndexes([index], PLAIN_VALUES);
  try {
    await collection.createIndexes([TTL], PLAIN_VALUES);
  } catch (error) {
    if (needsTtl || !isNotImplemented(error)) throw error;
  }
}
