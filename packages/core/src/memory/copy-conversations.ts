import { ConversationConflictError } from '../errors/conversation-conflict-error.js';
import type { Message } from '../messages/message.js';
import type { SignalOptions } from './chat-memory.js';
import type { ChatMemoryRepository } from './chat-memory-repository.js';

/** A conversation from somewhere else. */
export interface ForeignConversation {
  readonly conversationId: string;
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** How many of its messages could not be read as such and were left out. Default 0. */
  readonly skipped?: number | undefined;
}

/** What a copy has done. */
export interface CopiedConversations {
  /** Conversations that were written. */
  readonly conversations: number;
  /** Their messages. */
  readonly messages: number;
  /** Messages that the source has left out. */
  readonly skipped: number;
  /** Conversations that the repository held already, and that were left as they are there. */
  readonly existing: number;
}

/**
 * Copies conversations into a repository, each in one write. One that is there already is left alone, so that a copy that was cut short is run
 * again; one without messages is left out.
 *
 * @throws VernalError whatever the source and the repository throw; `aborted` by the signal
 * @example
 * const moved = await copyConversations(springAiNeo4jConversations(driver), repository);
 * console.log(`${moved.conversations} conversations`);
 */
export async function copyConversations(
  from: AsyncIterable<ForeignConversation>,
  to: ChatMemoryRepository,
  { signal }: SignalOptions = {},
): Promise<CopiedConversations> {
  const counts = { conversations: 0, messages: 0, skipped: 0, existing: 0 };
  for await (const { conversationId, messages, skipped = 0 } of from) {
    counts.skipped += skipped;
    if (messages.length === 0) continue;
    try {
      await to.append(conversationId, messages, { expectedSequence: 0, signal });
      counts.conversations += 1;
      counts.messages += messages.length;
    } catch (error) {
      if (!ConversationConflictError.is(error)) throw error;
      counts.existing += 1;
    }
  }
  return counts;
}
