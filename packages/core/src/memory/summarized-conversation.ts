import type { Message, SystemMessage } from '../messages/message.js';
import type { SignalOptions } from './chat-memory.js';
import type { ChatMemoryRepository } from './chat-memory-repository.js';
import { isSystem } from './recent-messages.js';
import { untilOf } from './summary-message.js';

/** A conversation of which the beginning may be summarised. */
export interface SummarizedConversation {
  /** The one that covers most. */
  readonly summary: SystemMessage | undefined;
  readonly system: { readonly message: SystemMessage; readonly sequence: number } | undefined;
  /** What the summary does not cover; no system messages. */
  readonly messages: Message[];
  /** Of `messages`. */
  readonly sequences: readonly number[];
  /** Of the last message ever appended. */
  readonly sequence: number;
}

/** Reads all there is: what was summarised has been deleted, but for what a failure left behind. */
export async function readSummarized(
  repository: ChatMemoryRepository,
  conversationId: string,
  options?: SignalOptions,
): Promise<SummarizedConversation> {
  const slice = await repository.findByConversationId(conversationId, { signal: options?.signal });
  let summary: SystemMessage | undefined;
  let system: SummarizedConversation['system'];
  let covered = 0;
  slice.messages.forEach((message, i) => {
    if (!isSystem(message)) return;
    const until = untilOf(message);
    if (until === undefined) system = { message, sequence: slice.sequences[i] ?? 0 };
    else if (until >= covered) {
      summary = message;
      covered = until;
    }
  });
  const messages: Message[] = [];
  const sequences: number[] = [];
  slice.messages.forEach((message, i) => {
    const sequence = slice.sequences[i] ?? 0;
    if (isSystem(message) || sequence < covered) return;
    messages.push(message);
    sequences.push(sequence);
  });
  return { summary, system, messages, sequences, sequence: slice.sequence };
}
