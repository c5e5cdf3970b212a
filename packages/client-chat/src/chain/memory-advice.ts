import type { ChatMemory, Message, Prompt } from '@vernal/core';
import { CONVERSATION_ID, contextValue, MemoryWriteError, VernalError } from '@vernal/core';
import type { AdvisorContext, ChatClientResponse } from '../advisors/advisor-request.js';
import { raceAbort } from './abort-race.js';
import type { Advice } from './advice.js';
import { cancelledMessage } from './open-calls.js';
import { notesOf, type TurnLog, withNotes, withoutNotes } from './run-notes.js';
import { newMessages, turnAsAsked } from './turn-messages.js';

/**
 * Reads the conversation before the turn, by `remind` into its prompt, and appends the whole turn once, when it ends. A turn that
 * failed, was aborted or left is appended as far as it came, closed by an assistant message with metadata `{ cancelled: true }`: the
 * history stays valid, and the user's words are not lost. A turn that waits for approval has not ended. `asText`: `remind` gives no
 * messages back.
 */
export function memoryAdvice(
  chatMemory: ChatMemory,
  remind: (prompt: Prompt, history: readonly Message[]) => Prompt,
  asText = false,
): Advice {
  return async (request, inward, chain) => {
    const id = conversationIdOf(request.context);
    const asked = request.prompt.messages;
    const { roundMemory, log: outer } = notesOf(request.context);
    // Two memories around one loop are told the same.
    const log: TurnLog = (roundMemory === undefined && outer) || { rounds: [], partial: '' };
    log.rounds = [];
    log.partial = '';
    let isRead = false;
    const storeCancelled = async (): Promise<void> => {
      try {
        await chatMemory.add(id, [...newMessages(asked), ...log.rounds, cancelledMessage(log.partial)]);
      } catch {
        chain.logger.warn('A cancelled turn could not be stored', { conversationId: id });
      }
    };
    if (roundMemory !== undefined) {
      roundMemory.append = (messages) => chatMemory.add(id, messages);
      roundMemory.asked = asked.at(-1);
      roundMemory.asText = asText;
    }
    const answered = async (): Promise<ChatClientResponse> => {
      const { signal } = request;
      const history = await raceAbort(signal, () => chatMemory.get(id, { signal }));
      isRead = true;
      const response = await inward.ask({
        ...request,
        prompt: remind(request.prompt, history),
        context: withNotes(request.context, { log }),
      });
      return { ...response, turn: turnAsAsked(asked, response.turn), context: withoutNotes(response.context) };
    };
    let response: ChatClientResponse;
    try {
      response = await answered();
    } catch (error) {
      if (!isForged(error)) {
        const stored = storeCancelled();
        // A memory that could not even be read in time must not hold the abort up.
        if (isRead || !request.signal?.aborted) await stored;
      }
      throw error;
    }
    if (response.pendingApproval === undefined && response.turn.length > 0) await store(chatMemory, id, response);
    return response;
  };
}

/** Without a signal: the answer is there, and a turn that is over is not half remembered. */
async function store(chatMemory: ChatMemory, id: string, { turn, chatResponse }: ChatClientResponse): Promise<void> {
  try {
    await chatMemory.add(id, turn);
  } catch (cause) {
    const known = VernalError.is(cause) ? cause : undefined;
    throw new MemoryWriteError(
      `The model has answered, but the turn could not be stored: ${known?.message ?? 'see the cause'}`,
      {
        code: known?.code,
        retryable: known?.retryable,
        details: known?.details,
        conversationId: id,
        messages: turn,
        chatResponse,
        cause,
      },
    );
  }
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
