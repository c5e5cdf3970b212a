import type { ChatMemoryRepository } from './chat-memory-repository.js';
import type { StoredSystemMessage } from './recent-messages.js';

export interface Conversation {
  readonly repository: ChatMemoryRepository;
  readonly transcript: ChatMemoryRepository | undefined;
  readonly conversationId: string;
}

/**
 * Drops what is older than `sequence`, except the newest system message. What is dropped is in the transcript before it is gone from the
 * repository: a failure in between leaves it in both, never in none.
 */
export async function dropMessages(
  { repository, transcript, conversationId }: Conversation,
  sequence: number,
  systems: readonly StoredSystemMessage[],
): Promise<void> {
  const newest = systems.at(-1);
  if (transcript !== undefined) {
    const old = await repository.findByConversationId(conversationId, { before: sequence });
    const dropped = old.messages.filter((_, i) => old.sequences[i] !== newest?.sequence);
    if (dropped.length > 0) await transcript.append(conversationId, dropped);
  }
  if (newest === undefined || newest.sequence >= sequence) {
    await repository.deleteBefore(conversationId, sequence);
    return;
  }
  // Older system messages would be kept along with the newest one.
  if (systems.length > 1) await repository.deleteBefore(conversationId, newest.sequence);
  await repository.deleteBefore(conversationId, sequence, { keepSystem: true });
}
