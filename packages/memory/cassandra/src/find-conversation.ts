import { type ConversationSlice, type Message, VernalError } from '@vernal/core';
import { backOff, type FindRange, restoredMessage } from '@vernal/core/adapter';
import { readHead } from './conversation-head.js';
import { readRows } from './conversation-rows.js';
import type { MemorySession } from './memory-session.js';
import { partsKey, readParts } from './message-parts.js';
import type { StoredRow } from './stored-row.js';

/** Of a conversation that is replaced or trimmed again and again while it is read. */
const TRIES = 10;

/**
 * Messages of one moment, read again from the start when the conversation was replaced or trimmed in between.
 *
 * @throws VernalError `store_read` when that never ends, or when parts of a message are missing; `message_version`
 */
export async function findConversation(
  session: MemorySession,
  { key, conversationId }: { readonly key: string; readonly conversationId: string },
  range: FindRange,
  signal: AbortSignal | undefined,
): Promise<ConversationSlice> {
  let lost: StoredRow | undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await backOff(attempt, signal);
    const head = await readHead(session, key, { code: 'store_read', signal });
    if (head === undefined) return { messages: [], sequences: [], sequence: 0 };
    const found = await readRows(session, key, head, range, signal);
    if (found === undefined) continue;
    const references = found.rows.flatMap(({ reference }) => reference ?? []);
    const parts =
      references.length === 0 ? new Map<string, string>() : await readParts(session, key, references, signal);
    lost = found.rows.find(({ reference }) => reference !== undefined && !parts.has(partsKey(reference)));
    // Its row was deleted first: the next read does not find it.
    if (lost !== undefined) continue;
    const message = ({ sequence, message: stored, reference }: StoredRow): Message =>
      restoredMessage(reference === undefined ? stored : parts.get(partsKey(reference)), { conversationId, sequence });
    return {
      messages: found.rows.map(message),
      sequences: found.rows.map(({ sequence }) => sequence),
      sequence: found.sequence,
    };
  }
  if (lost === undefined)
    throw new VernalError('The conversation is replaced faster than it can be read; try again', {
      code: 'store_read',
      retryable: true,
    });
  const { sequence } = lost;
  throw new VernalError(
    `Parts of the message at sequence ${sequence} are missing; restore the table of parts, or delete the message, for example with deleteBefore()`,
    { code: 'store_read', subject: 'message', details: { conversationId, sequence } },
  );
}
