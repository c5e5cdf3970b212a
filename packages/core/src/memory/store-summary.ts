import { ConversationConflictError } from '../errors/conversation-conflict-error.js';
import { VernalError } from '../errors/vernal-error.js';
import type { Message } from '../messages/message.js';
import { messageEquals } from '../messages/message-equals.js';
import type { Conversation } from './drop-messages.js';
import { isSystem } from './recent-messages.js';
import { readSummarized, type SummarizedConversation } from './summarized-conversation.js';
import { isSummary, summaryMessage } from './summary-message.js';

/** How often it is tried again because somebody else wrote in between. */
const MAX_TRIES = 10;

/**
 * Stores a summary of the first `cut` messages of `seen`, then drops these. Gives what is left, or undefined when the conversation
 * was cleared or summarised by somebody else in the meantime: then the summary is of no use. Readers see the old state or the new one.
 */
export async function storeSummary(
  conversation: Conversation,
  seen: SummarizedConversation,
  cut: number,
  text: string,
): Promise<readonly Message[] | undefined> {
  const { repository, conversationId } = conversation;
  const until = seen.sequences[cut] ?? seen.sequence + 1;
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const now = await readSummarized(repository, conversationId);
    if (!beginsAlike(seen, now, cut)) return undefined;
    const { system } = now;
    // The system message moves behind what is dropped, so that old ones, and old summaries, can go with the rest.
    const moved = system !== undefined && system.sequence < until ? [system.message] : [];
    try {
      await repository.append(conversationId, [...moved, summaryMessage(text, until)], {
        expectedSequence: now.sequence,
      });
    } catch (error) {
      if (ConversationConflictError.is(error)) continue;
      throw error;
    }
    await dropCovered(conversation, until, system?.sequence);
    return now.messages.slice(cut);
  }
  throw new VernalError('The conversation was written to all the time while a summary was to be stored', {
    code: 'conversation_conflict',
    subject: 'conversationId',
    retryable: true,
  });
}

function beginsAlike(seen: SummarizedConversation, now: SummarizedConversation, cut: number): boolean {
  return seen.messages.slice(0, cut).every((message, i) => {
    const other = now.messages[i];
    return other !== undefined && seen.sequences[i] === now.sequences[i] && messageEquals(message, other);
  });
}

async function dropCovered(
  { repository, transcript, conversationId }: Conversation,
  until: number,
  system: number | undefined,
): Promise<void> {
  if (transcript !== undefined) {
    const old = await repository.findByConversationId(conversationId, { before: until });
    const dropped = old.messages.filter(
      (message, i) => !isSystem(message) || (old.sequences[i] !== system && !isSummary(message)),
    );
    if (dropped.length > 0) await transcript.append(conversationId, dropped);
  }
  await repository.deleteBefore(conversationId, until);
}
