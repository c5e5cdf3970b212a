import type { ChatMemory, Message, Prompt } from '@vernal/core';
import { CONVERSATION_ID, contextValue, VernalError } from '@vernal/core';
import type { AdvisorContext } from '../advisors/advisor-request.js';
import type { Advice } from './advice.js';
import { cancelledMessage } from './open-calls.js';
import { notesOf, type TurnLog, withNotes, withoutNotes } from './run-notes.js';
import { newMessages, turnAsAsked } from './turn-messages.js';

/**
 * Reads the conversation before the turn, by `remind` into its prompt, and appends the whole turn once, when it ends. A turn that
 * failed, was aborted or left is appended as far as it came, closed by an assistant message with metadata `{ cancelled: true }`: the
 * history stays valid, and the user's words are not lost. A turn that waits for approval has not ended.
 */
export function memoryAdvice(
  chatMemory: ChatMemory,
  remind: (prompt: Prompt, history: readonly Message[]) => Prompt,
): Advice {
  return async (request, inward, chain) => {
    const id = conversationIdOf(request.context);
    const asked = request.prompt.messages;
    const log: TurnLog = { rounds: [], partial: '' };
    const { roundMemory } = notesOf(request.context);
    if (roundMemory !== undefined) {
      roundMemory.append = (messages) => chatMemory.add(id, messages);
      roundMemory.asked = asked.at(-1);
    }
    try {
      const history = await chatMemory.get(id, { signal: request.signal });
      const response = await inward.ask({
        ...request,
        prompt: remind(request.prompt, history),
        context: withNotes(request.context, { log }),
      });
      const turn = turnAsAsked(asked, response.turn);
      const context = withoutNotes(response.context);
      // No signal: the answer is there, and a turn that is over is not half remembered.
      if (response.pendingApproval === undefined && turn.length > 0) await chatMemory.add(id, turn);
      return { ...response, turn, context };
    } catch (error) {
      if (!isForged(error)) {
        try {
          await chatMemory.add(id, [...newMessages(asked), ...log.rounds, cancelledMessage(log.partial)]);
        } catch {
          chain.logger.warn('A cancelled turn could not be stored', { conversationId: id });
        }
      }
      throw error;
    }
  };
}

function conversationIdOf(context: AdvisorContext): string {
  const id: unknown = contextValue(context, CONVERSATION_ID);
  if (typeof id === 'string' && id.trim() !== '') return id;
  throw new VernalError(
    'A chat memory needs to know whose conversation this is: say conversation(id) on the request; there is no default one',
    { code: 'missing_conversation_id', subject: 'conversation' },
  );
}

/** The conversation id came from a pending approval that nobody vouches for. */
function isForged(error: unknown): boolean {
  return VernalError.is(error) && error.code === 'approval_invalid';
}
