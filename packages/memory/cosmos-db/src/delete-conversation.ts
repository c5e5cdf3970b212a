import type { ConversationPartition } from './conversation-partition.js';
import { CONVERSATION_ITEM } from './stored-items.js';

interface ListedItem {
  readonly id: string;
  readonly kind: string;
  readonly generation?: string | undefined;
  readonly writer?: string | undefined;
  readonly _etag: string;
}

/**
 * Deletes a conversation, and then every item of its partition that no conversation has a use for: also what writes have left that were
 * stopped. Another try finds what this one did not get to.
 */
export async function deleteConversation(partition: ConversationPartition): Promise<void> {
  await partition.delete(CONVERSATION_ITEM);
  const items = await partition.query<ListedItem>(
    "SELECT c.id, c.kind, c.generation, c.writer, c._etag FROM c WHERE c.kind != 'conversation'",
  );
  if (items.length === 0) return;
  // Read after the list: a generation that is on the list and is not this one will never come again.
  const generation = (await partition.conversation())?.generation;
  const isGone = new Map<string, boolean>();
  for (const { id, kind, generation: of, _etag } of items) {
    if (kind === 'extent')
      isGone.set(id, of === undefined || of !== generation ? await gone(partition, id, _etag) : false);
  }
  const ids: string[] = [];
  for (const { id, kind, generation: of, writer = '' } of items) {
    if (kind === 'message' && of !== generation) ids.push(id);
    if (kind !== 'part') continue;
    // Its writer may have begun while the list was read: then its extent is there, and not on the list.
    if (!isGone.has(writer)) isGone.set(writer, (await partition.latest(writer)) === undefined);
    if (isGone.get(writer)) ids.push(id);
  }
  await partition.deleteAll(ids);
}

/** Deletes an extent, unless it has changed: then it belongs to a conversation that has begun anew. */
async function gone(partition: ConversationPartition, id: string, etag: string): Promise<boolean> {
  return (await partition.delete(id, etag)) || (await partition.latest(id)) === undefined;
}
