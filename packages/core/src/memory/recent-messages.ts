import type { Message, SystemMessage } from '../messages/message.js';
import type { ChatMemoryRepository } from './chat-memory-repository.js';

/** The newest part of a conversation, its system messages apart. */
export interface RecentMessages {
  /** No system messages; oldest first. */
  readonly messages: readonly Message[];
  /** Of `messages`. */
  readonly sequences: readonly number[];
  /** All system messages of the conversation, oldest first. Only the newest counts. */
  readonly systems: readonly { readonly message: SystemMessage; readonly sequence: number }[];
  /** True when there are no older messages than these. */
  readonly complete: boolean;
}

/** Reads back until `enough` says so or there is no more; nearly always in one go. */
export async function readRecent(
  repository: ChatMemoryRepository,
  conversationId: string,
  first: number,
  enough: (messages: readonly Message[]) => boolean,
  signal: AbortSignal | undefined,
): Promise<RecentMessages> {
  for (let last = first; ; last *= 2) {
    const slice = await repository.findByConversationId(conversationId, { last, includeSystem: true, signal });
    // System messages from outside of the newest `last` can only make the slice longer.
    const complete = slice.messages.length < last;
    const recent = withoutSystems(slice.messages, slice.sequences, complete);
    if (complete || enough(recent.messages)) return recent;
  }
}

function withoutSystems(all: readonly Message[], allSequences: readonly number[], complete: boolean): RecentMessages {
  if (!all.some(isSystem)) return { messages: all, sequences: allSequences, systems: [], complete };
  const messages: Message[] = [];
  const sequences: number[] = [];
  const systems: { readonly message: SystemMessage; readonly sequence: number }[] = [];
  all.forEach((message, i) => {
    const sequence = allSequences[i] ?? 0;
    if (isSystem(message)) systems.push({ message, sequence });
    else {
      messages.push(message);
      sequences.push(sequence);
    }
  });
  return { messages, sequences, systems, complete };
}

export function isSystem(message: Message): message is SystemMessage {
  return message.type === 'system';
}
