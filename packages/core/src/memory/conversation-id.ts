import { VernalError } from '../errors/vernal-error.js';

/**
 * Refuses what is no conversation id: blank text and anything that is not text. Every memory and repository asks it first, for callers
 * without types too must not share a conversation by accident.
 *
 * @throws VernalError `missing_conversation_id`
 */
export function checkConversationId(conversationId: unknown): asserts conversationId is string {
  if (typeof conversationId === 'string' && conversationId.trim() !== '') return;
  throw new VernalError(
    'No conversation id was given; pass a string that is not blank and belongs to one user and conversation',
    {
      code: 'missing_conversation_id',
      subject: 'conversationId',
    },
  );
}
