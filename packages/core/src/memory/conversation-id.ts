import { VernalError } from '../errors/vernal-error.js';

/** Untyped callers too must not share a conversation by accident: '', undefined, null and 0 are no ids. */
export function checkConversationId(conversationId: unknown): void {
  if (typeof conversationId === 'string' && conversationId.trim() !== '') return;
  throw new VernalError(
    'No conversation id was given; pass a string that is not blank and belongs to one user and conversation',
    {
      code: 'missing_conversation_id',
      subject: 'conversationId',
    },
  );
}
