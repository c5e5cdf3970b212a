import type { OperationInput } from '@azure/cosmos';
import { type ConversationPartition, MOST_OPERATIONS } from './conversation-partition.js';
import { CONVERSATION_ITEM, type ConversationItem } from './stored-items.js';

/**
 * Seconds that the items of messages live after they were last changed. A conversation lives for `ttl` after its last write; its messages
 * are renewed by the first write after half of that, which is one and a half after they were changed at the latest.
 */
export function messageLifetime(ttl: number | undefined): number | undefined {
  return ttl === undefined ? undefined : 2 * ttl;
}

/** The conversation with its time to live: that of this repository, or else the one that it has. */
export function timed(
  next: ConversationItem,
  found: ConversationItem | undefined,
  ttl: number | undefined,
): ConversationItem {
  if (ttl === undefined) return next;
  if (found === undefined) return { ...next, ttl };
  // Messages of another time to live are to be renewed at once.
  return { ...next, ttl, renewedAt: found.ttl === ttl ? (found.renewedAt ?? found._ts ?? 0) : 0 };
}

/** Whether messages may expire before a conversation that was written just now. By the clock of the service alone. */
export function isDueForRenewal({ ttl, renewedAt, _ts }: ConversationItem): boolean {
  return ttl !== undefined && renewedAt !== undefined && _ts !== undefined && _ts - renewedAt >= ttl / 2;
}

/** Has all items of a conversation begin their time to live anew. */
export async function renewItems(partition: ConversationPartition, { ttl, _ts }: ConversationItem): Promise<void> {
  const ids = await partition.query<string>("SELECT VALUE c.id FROM c WHERE c.kind != 'conversation'");
  const set = (path: string, value: number | undefined) => ({ op: 'set' as const, path, value });
  const renewals = ids.map((id): OperationInput => {
    const operations = [set('/ttl', messageLifetime(ttl)), set('/renewedAt', _ts)];
    return { operationType: 'Patch', id, resourceBody: { operations } };
  });
  renewals.push({
    operationType: 'Patch',
    id: CONVERSATION_ITEM,
    resourceBody: { operations: [set('/renewedAt', _ts)] },
  });
  for (let start = 0; start < renewals.length; start += MOST_OPERATIONS) {
    const answer = await partition.batch(renewals.slice(start, start + MOST_OPERATIONS), 'quiet');
    // Another writer is at it: the next write does it.
    if ('refused' in answer) return;
  }
}
