import type { ApprovalDecisions, Message, PendingApproval } from '@vernal/core';
import { decodeMessage, VernalError } from '@vernal/core';
import { turnStart } from '../chain/turn-messages.js';
import type { RequestState } from './request-state.js';

/**
 * The request of a turn that goes on. Advisors around the tool loop see the user's messages of the turn, as they did when it began; the
 * loop itself takes the conversation out of `pending`, once its signature was checked.
 */
export function resumedState(
  state: RequestState,
  pending: PendingApproval,
  decisions: ApprovalDecisions,
): RequestState {
  return {
    ...state,
    user: undefined,
    messages: askedIn(pending),
    context: { ...state.context, ...pending.context },
    resumption: { pending, decisions },
  };
}

function askedIn(pending: PendingApproval): readonly Message[] {
  try {
    const messages = pending.messages.map((message) => decodeMessage(message));
    const asked: Message[] = [];
    for (let i = turnStart(messages); i < messages.length; i++) {
      const message = messages[i];
      if (message?.type !== 'user') break;
      asked.push(message);
    }
    return asked;
  } catch (cause) {
    throw new VernalError('This is not a pending approval: hand resume() what chatClientResponse() gave, unchanged', {
      code: 'approval_invalid',
      subject: 'pending',
      cause,
    });
  }
}
