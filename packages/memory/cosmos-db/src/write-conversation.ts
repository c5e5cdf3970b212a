import type { OperationInput } from '@azure/cosmos';
import { ConversationConflictError } from '@vernal/core';
import { type StoredMessage, storableText } from '@vernal/core/adapter';
import { appended, newConversation, trimmed, withoutServiceFields, withoutSystems } from './conversation-change.js';
import { type ConversationPartition, MOST_OPERATIONS } from './conversation-partition.js';
import { type HiddenItems, hiddenItems } from './hidden-items.js';
import { fitsABatch, newOperations } from './new-operations.js';
import { isDueForRenewal, messageLifetime, renewItems, timed } from './renew-items.js';
import type { ConversationItem } from './stored-items.js';
import { beaten, untilLanded } from './until-landed.js';
import { deleteParts, writeAhead } from './write-ahead.js';

const NOTHING: HiddenItems = { ids: [], systems: 0 };

/** An append. */
export interface ConversationWrite {
  readonly conversationId: string;
  readonly messages: readonly StoredMessage[];
  /** True when they take the place of all others. */
  readonly replaces: boolean;
  readonly expected: number | undefined;
  /** Seconds. */
  readonly ttl: number | undefined;
}

/** Appends or replaces, in one batch, and gives the sequence of the last message. */
export async function writeMessages(
  partition: ConversationPartition,
  write: ConversationWrite,
  signal: AbortSignal | undefined,
): Promise<number> {
  const { conversationId, messages, replaces, expected } = write;
  const isExtent = !fitsABatch(conversationId, messages);
  const systems = messages.filter(({ type }) => type === 'system').length;
  let writer = globalThis.crypto.randomUUID() as string;
  let isAhead = false;
  return untilLanded(signal, async () => {
    const found = await partition.conversation();
    const landed = found?.writes.find((one) => one.writer === writer);
    if (landed !== undefined) return landed.sequence;
    const stands = found?.sequence ?? 0;
    if (expected !== undefined && expected !== stands)
      throw ConversationConflictError.between(conversationId, expected, stands);
    if (messages.length === 0 && (!replaces || found === undefined)) return stands;
    const ttl = write.ttl ?? found?.ttl;
    if (isExtent && !isAhead) {
      await writeAhead(partition, writer, messages, messageLifetime(ttl));
      isAhead = true;
    }
    const conversation = found ?? newConversation(partition.key, storableText(conversationId));
    const next = timed(
      appended(conversation, { writer, count: messages.length, systems, replaces, isExtent }),
      found,
      ttl,
    );
    const hidden =
      found !== undefined && (replaces || found.unswept) ? await hiddenItems(partition, found, next) : NOTHING;
    const operations = newOperations(next, messages, isExtent ? writer : undefined);
    const refused = await commit(partition, found, next, operations, hidden);
    if (refused === undefined) return next.sequence;
    // Someone has deleted the conversation, and with it what was written ahead.
    if (isExtent && refused.index === 1 && refused.refused === 404) {
      await deleteParts(partition, writer);
      writer = globalThis.crypto.randomUUID();
      isAhead = false;
    }
    throw beaten();
  });
}

/** Takes away what is before a sequence; undefined is all. */
export async function trimConversation(
  partition: ConversationPartition,
  before: number | undefined,
  keepSystem: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  await untilLanded(signal, async () => {
    const found = await partition.conversation();
    if (found === undefined) return;
    const next = trimmed(found, before, keepSystem);
    if (next === found && !found.unswept) return;
    const hidden = await hiddenItems(partition, found, next);
    const counted = withoutSystems(next, hidden.systems);
    if ((await commit(partition, found, counted, [], hidden)) !== undefined) throw beaten();
  });
}

/** The one batch: the conversation, what is new, and as many items to delete as fit; the others are deleted after it. */
async function commit(
  partition: ConversationPartition,
  found: ConversationItem | undefined,
  next: ConversationItem,
  operations: readonly OperationInput[],
  hidden: HiddenItems,
): Promise<{ readonly refused: number; readonly index: number } | undefined> {
  const room = MOST_OPERATIONS - 1 - operations.length;
  const unswept = hidden.ids.length > room;
  const resourceBody = { ...withoutServiceFields(next), unswept } as never;
  const answer = await partition.batch([
    found === undefined
      ? { operationType: 'Create', resourceBody }
      : { operationType: 'Replace', id: next.id, resourceBody, ...(found._etag && { ifMatch: found._etag }) },
    ...operations,
    ...hidden.ids.slice(0, room).map((id): OperationInput => ({ operationType: 'Delete', id })),
  ]);
  if ('refused' in answer) return answer;
  const written = answer[0]?.resourceBody as unknown as ConversationItem | undefined;
  try {
    await partition.deleteAll(hidden.ids.slice(room));
    if (written !== undefined && isDueForRenewal(written)) await renewItems(partition, written);
  } catch {
    // The write has landed. What is left is nobody's to read, and is looked for by the next one.
  }
  return undefined;
}
