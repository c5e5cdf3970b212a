import type { Document, Message } from '@vernal/core';
import { document } from '@vernal/core';
import type { FilterExpression } from '@vernal/vector-store';
import { filter } from '@vernal/vector-store';

// What memories have in their metadata. The first two are those of Spring AI.
const CONVERSATION = 'conversationId';
export const WAS_SAID_BY = 'messageType';
/** ISO text. */
export const WAS_SAID_AT = 'createdAt';
export const WAS_CANCELLED = 'cancelled';
const TENANT = 'tenant';

/** Whose memories. */
export interface MemoryOwner {
  readonly conversationId: string;
  readonly tenant: string | undefined;
}

/** A tree, so that no id is ever read as part of a filter. */
export function ownedBy({ conversationId, tenant }: MemoryOwner): FilterExpression {
  const ofConversation = filter.eq(CONVERSATION, conversationId);
  return tenant === undefined ? ofConversation : filter.and(ofConversation, filter.eq(TENANT, tenant));
}

/** The same question, asked of what a store gave: one that does not heed a filter gives nothing away. */
export function isOwnedBy({ metadata }: Document, { conversationId, tenant }: MemoryOwner): boolean {
  return metadata[CONVERSATION] === conversationId && (tenant === undefined || metadata[TENANT] === tenant);
}

/**
 * What is worth remembering of a turn: what the user said, and what the model answered at the end. Not what it said between tools, nor what
 * the tools gave, nor media. `nextTime` gives another millisecond each time, so that the time alone is the order.
 */
export function memoriesOf(messages: readonly Message[], owner: MemoryOwner, nextTime: () => number): Document[] {
  const cancelled = messages.some(({ metadata }) => metadata['cancelled'] === true);
  return messages.flatMap((message) => {
    if (message.type !== 'user' && message.type !== 'assistant') return [];
    if (message.text.trim() === '' || (message.type === 'assistant' && message.toolCalls.length > 0)) return [];
    return document({
      text: message.text,
      // Whatever a message says of itself, whose it is is said here.
      metadata: {
        ...message.metadata,
        [WAS_SAID_BY]: message.type,
        [WAS_SAID_AT]: new Date(nextTime()).toISOString(),
        [CONVERSATION]: owner.conversationId,
        ...(owner.tenant !== undefined && { [TENANT]: owner.tenant }),
        ...(cancelled && { [WAS_CANCELLED]: true }),
      },
      // Found by what was said, not by ids and times.
      format: { textTemplate: '{content}' },
    });
  });
}
