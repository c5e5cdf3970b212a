import type { Message } from '@vernal/core';

/** The version of the layout that this release writes. */
export const COSMOS_DB_LAYOUT_VERSION = 1;

/** The id of the item that says where a conversation stands. */
export const CONVERSATION_ITEM = 'conversation';

/** What the service adds to an item. */
export interface ServiceFields {
  readonly _etag?: string | undefined;
  /** Of its last change: seconds since 1970, by the clock of the service. */
  readonly _ts?: number | undefined;
}

/**
 * Where a conversation stands: what it says is there, is there, and everything else in the partition is ignored. A message is valid from
 * `first` on, a system message from `firstSystem` on, both up to `sequence`.
 */
export interface ConversationItem extends ServiceFields {
  readonly id: typeof CONVERSATION_ITEM;
  readonly kind: 'conversation';
  readonly layout: number;
  readonly conversationKey: string;
  /** As `storableText` writes it. */
  readonly conversationId: string;
  /** Unlike that of every other conversation, also of the one that had this id before it was deleted. */
  readonly generation: string;
  readonly sequence: number;
  readonly first: number;
  /** At most `first`. */
  readonly firstSystem: number;
  /** How many system messages are valid. */
  readonly systems: number;
  readonly hasMessages: boolean;
  /** The newest sequence that an `ExtentItem` has; 0 without any. */
  readonly extentEnd: number;
  /** Items that are not valid any more may be left: the next write looks for them. */
  readonly unswept: boolean;
  /** The newest writes and where each ended: one whose answer was lost recognises itself. */
  readonly writes: readonly { readonly writer: string; readonly sequence: number }[];
  readonly createdAt: string;
  /** By `_ts`: all items were changed then or later. Only with a time to live. */
  readonly renewedAt?: number | undefined;
  /** Seconds. */
  readonly ttl?: number | undefined;
}

/** A message that was written together with its conversation. */
export interface MessageItem extends ServiceFields {
  readonly id: string;
  readonly kind: 'message';
  readonly conversationKey: string;
  readonly generation: string;
  readonly sequence: number;
  readonly type: Message['type'];
  readonly text: string;
  /** As `encodeMessage` writes it. */
  readonly message: string;
  readonly createdAt: string;
  readonly ttl?: number | undefined;
}

/**
 * Stands for the messages of one write that is too large for a batch: its parts lie there before, under the id of this item, and count once
 * this item has a generation and a range. Whoever cleans up deletes it before its parts, so that the write cannot end without them.
 */
export interface ExtentItem extends ServiceFields {
  /** The writer that its parts name. */
  readonly id: string;
  readonly kind: 'extent';
  readonly conversationKey: string;
  readonly generation?: string | undefined;
  readonly fromSequence?: number | undefined;
  readonly toSequence?: number | undefined;
  /** How many of its messages are system messages. */
  readonly systems: number;
  readonly createdAt: string;
  readonly ttl?: number | undefined;
}

/** A message of an extent, or a piece of one. */
export interface PartItem extends ServiceFields {
  readonly id: string;
  readonly kind: 'part';
  readonly conversationKey: string;
  readonly writer: string;
  /** Of the message in its extent, from 0. */
  readonly position: number;
  /** Of the piece in its message, from 0. */
  readonly part: number;
  readonly parts: number;
  readonly type: Message['type'];
  /** In the first piece; cut where the message has several. */
  readonly text?: string | undefined;
  readonly message: string;
  readonly createdAt: string;
  readonly ttl?: number | undefined;
}

export type StoredItem = ConversationItem | MessageItem | ExtentItem | PartItem;

/** Whether a message of this sequence is part of the conversation. */
export function isValid(
  { sequence, first, firstSystem }: Pick<ConversationItem, 'sequence' | 'first' | 'firstSystem'>,
  message: { readonly sequence: number; readonly type: string },
): boolean {
  return message.sequence <= sequence && message.sequence >= (message.type === 'system' ? firstSystem : first);
}
