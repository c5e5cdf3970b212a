import type { Message, SystemMessage } from '../messages/message.js';
import { messageEquals } from '../messages/message-equals.js';
import type { SignalOptions } from './chat-memory.js';
import type { ChatMemoryRepository } from './chat-memory-repository.js';
import { isSystem } from './recent-messages.js';
import { isSummary } from './summary-message.js';

export function messageList(messages: Message | readonly Message[]): readonly Message[] {
  return isList(messages) ? messages : [messages];
}

/** Without the system message that the conversation has already; of several in one go only the last counts. */
export async function withoutKnownSystem(
  repository: ChatMemoryRepository,
  conversationId: string,
  added: readonly Message[],
  options: SignalOptions | undefined,
): Promise<readonly Message[]> {
  const known = await newestSystem(repository, conversationId, options);
  const given = added.findLast(isSystem);
  const isKnown = known !== undefined && given !== undefined && messageEquals(known, given);
  return added.filter((message) => !isSystem(message) || (message === given && !isKnown));
}

async function newestSystem(
  repository: ChatMemoryRepository,
  conversationId: string,
  options: SignalOptions | undefined,
): Promise<SystemMessage | undefined> {
  const { messages } = await repository.findByConversationId(conversationId, {
    last: 1,
    includeSystem: true,
    signal: options?.signal,
  });
  return messages.filter(isSystem).findLast((message) => !isSummary(message));
}

function isList(messages: Message | readonly Message[]): messages is readonly Message[] {
  return Array.isArray(messages);
}
