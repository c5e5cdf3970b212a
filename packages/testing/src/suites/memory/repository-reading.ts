import type { ChatMemoryRepository } from '@vernal/core';
import { messageText } from '@vernal/core';

export async function textsOf(repository: ChatMemoryRepository, id: string): Promise<string[]> {
  return (await repository.findByConversationId(id)).messages.map(messageText);
}

export async function allIds(repository: ChatMemoryRepository): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of repository.findConversationIds()) ids.push(id);
  return ids.toSorted();
}
