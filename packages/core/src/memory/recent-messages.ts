import type { Message, SystemMessage } from '../messages/message.js';
import type { ConversationSlice } from './chat-memory-repository.js';

/** The newest part of a conversation, its system messages apart. */
export interface RecentMessages {
  /** No system messages; oldest first. */
  readonly messages: readonly Message[];
  /** Of `messages`. */
  readonly sequences: readonly number[];
  /** All system messages of the conversation, oldest first. Only the newest counts. */
  readonly systems: readonly StoredSystemMessage[];
  /** True when there are no older messages than these. */
  readonly complete: boolean;
}

export interface StoredSystemMessage {
  readonly message: SystemMessage;
  readonly sequence: number;
}

const NO_SYSTEMS: readonly StoredSystemMessage[] = [];

/** What was read with `last` and `includeSystem`. */
export function recentMessages(slice: ConversationSlice, last: number): RecentMessages {
  // System messages from outside of the newest `last` can only make the slice longer.
  const complete = slice.messages.length < last;
  if (!slice.messages.some(isSystem)) {
    return { messages: slice.messages, sequences: slice.sequences, systems: NO_SYSTEMS, complete };
  }
  const messages: Message[] = [];
  const sequences: number[] = [];
  const systems: StoredSystemMessage[] = [];
  slice.messages.forEach((message, i) => {
    const sequence = slice.sequences[i] ?? 0;
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
