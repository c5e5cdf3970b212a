import { ConversationConflictError } from '@vernal/core';
import type { StoredMessage } from '@vernal/core/adapter';
import { isOver } from './conversation-head.js';
import { renewal } from './lifetime.js';
import { clear, commit, type PlannedCommit } from './memory-commit.js';
import type { MemoryPlace } from './memory-place.js';
import { writtenDocuments } from './written-documents.js';

/** What is written to a conversation. */
export interface ConversationWrite {
  readonly messages: readonly StoredMessage[];
  /** True when they take the place of all others. */
  readonly replaces: boolean;
  readonly expected: number | undefined;
  readonly ttlMs: number | undefined;
}

/** Gives the sequence at which the conversation then stands. Throws `ConversationConflictError` when it does not stand where it should. */
export async function writeConversation(place: MemoryPlace, input: ConversationWrite): Promise<number> {
  const { messages, replaces, expected, ttlMs } = input;
  const write = globalThis.crypto.randomUUID();
  let stands = 0;
  let leftBelow = 0;
  const documents = await commit({ ...place, write }, (head): PlannedCommit => {
    const living = head === undefined || isOver(head) ? undefined : head;
    const before = living?.sequence ?? 0;
    if (expected !== undefined && expected !== before)
      throw ConversationConflictError.between(place.conversationId, expected, before);
    const slot = (head?.slot ?? 0) + 1;
    const goesOn = living !== undefined && !living.isEmpty && !replaces;
    stands = messages.length === 0 ? before : slot + messages.length - 1;
    leftBelow = goesOn || head === undefined ? 0 : slot;
    if (messages.length === 0 && (!replaces || living === undefined || living.isEmpty)) return { documents: [] };
    const renewed = renewal(goesOn ? living : undefined, ttlMs);
    const { key, storedId: conversationId } = place;
    const from = goesOn ? living.from : slot;
    const written = { key, conversationId, write, slot, from, lifetime: renewed.lifetime };
    // Behind the messages that a conversation begins with: it is in the list when they count.
    const mark = goesOn ? undefined : { sequence: stands, isListed: messages.length > 0 };
    return { documents: writtenDocuments(written, messages, mark), renewal: renewed };
  });
  if (documents.length > 0 && leftBelow > 0) await clear(place, 0, leftBelow);
  return stands;
}
