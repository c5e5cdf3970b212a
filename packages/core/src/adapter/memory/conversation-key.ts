import { checkConversationId } from '@vernal/core';

/** What every engine compares by the byte, in a key as in an index, and what a person reads. */
const PLAIN = /^[\w.~:@/+=-]{1,120}$/;
const HASHED = 'sha256-';

/**
 * The id as engines take it in keys and indexes: at most 120 characters of printable ASCII without spaces, equal for equal ids only,
 * whatever length, script or white space they have. Ordinary ids, such as UUIDs, stand for themselves; others become `sha256-` and the
 * hexadecimal hash of their UTF-16 code units.
 *
 * @throws VernalError `missing_conversation_id` for what is no id
 */
export async function conversationKey(conversationId: string): Promise<string> {
  checkConversationId(conversationId);
  if (PLAIN.test(conversationId) && !conversationId.startsWith(HASHED)) return conversationId;
  // Half a surrogate pair has no UTF-8: two ids that differ in one would become the same.
  const units = new Uint8Array(conversationId.length * 2);
  for (let i = 0; i < conversationId.length; i++) {
    const unit = conversationId.charCodeAt(i);
    units[2 * i] = unit & 0xff;
    units[2 * i + 1] = unit >>> 8;
  }
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', units));
  return HASHED + Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
