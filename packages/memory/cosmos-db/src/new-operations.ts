import type { OperationInput } from '@azure/cosmos';
import { type StoredMessage, storableText } from '@vernal/core/adapter';
import { newConversation } from './conversation-change.js';
import { MOST_OPERATIONS } from './conversation-partition.js';
import { messageLifetime } from './renew-items.js';
import type { ConversationItem, MessageItem } from './stored-items.js';
import { bytesOf, extentItem, MOST_BYTES } from './write-ahead.js';

/** What a conversation may grow by: the writes that it remembers. */
const ROOM = 4000;

/** Whether messages and their conversation can be written at once. */
export function fitsABatch(conversationId: string, messages: readonly StoredMessage[]): boolean {
  if (messages.length >= MOST_OPERATIONS) return false;
  const conversation = newConversation('k'.repeat(120), storableText(conversationId));
  const operations = newOperations({ ...conversation, ttl: 1, sequence: messages.length }, messages, undefined);
  let bytes = ROOM + bytesOf({ operationType: 'Create', resourceBody: conversation as never });
  for (const operation of operations) bytes += bytesOf(operation);
  return bytes <= MOST_BYTES;
}

/** What an append writes beside the conversation, which stands where it stands afterwards. */
export function newOperations(
  conversation: ConversationItem,
  messages: readonly StoredMessage[],
  extentWriter: string | undefined,
): OperationInput[] {
  const { conversationKey, generation, sequence } = conversation;
  const ttl = messageLifetime(conversation.ttl);
  const before = sequence - messages.length;
  if (extentWriter !== undefined) {
    const range = { generation, fromSequence: before + 1, toSequence: sequence };
    const extent = extentItem(conversationKey, extentWriter, messages, ttl, range);
    return [{ operationType: 'Replace', id: extent.id, resourceBody: extent as never }];
  }
  const createdAt = new Date().toISOString();
  return messages.map(({ type, text, message }, index): OperationInput => {
    const item: MessageItem = {
      id: `${generation}.${before + 1 + index}`,
      kind: 'message',
      conversationKey,
      generation,
      sequence: before + 1 + index,
      type,
      text,
      message,
      createdAt,
      ...(ttl !== undefined && { ttl }),
    };
    return { operationType: 'Create', resourceBody: item as never };
  });
}
