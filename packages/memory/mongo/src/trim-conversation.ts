import { type ConversationHead, committedHead, isOver } from './conversation-head.js';
import { inherited } from './lifetime.js';
import { clear, commit } from './memory-commit.js';
import { documentId, slotRange } from './memory-document.js';
import type { MemoryPlace } from './memory-place.js';
import { acknowledged } from './write-concern.js';
import { writtenDocuments } from './written-documents.js';

/** What a trim takes away. */
export interface Trim {
  /** Messages with a smaller sequence. */
  readonly before: number;
  readonly keepSystem: boolean;
}

/**
 * The newest document stays, which says where the conversation stands: the last message, or a mark that is put there first. So does the mark
 * that lists it, as long as there are messages.
 */
export async function trimConversation(place: MemoryPlace, trim: Trim): Promise<void> {
  const { collection, key, signal } = place;
  let head = await committedHead(collection, key, signal);
  if (head === undefined || isOver(head)) return;
  if (head.isEmpty) return clear(place, 0, head.slot);
  const takesLast = (now: ConversationHead): boolean => trim.before > now.sequence;
  if (takesLast(head)) {
    // Where somebody appends meanwhile there is a last message to stay.
    if (!trim.keepSystem) return (await empty(place, takesLast)) ? undefined : trimConversation(place, trim);
    await putMark(place, (now) => (takesLast(now) && now.hasLast ? now.from : undefined));
    head = (await committedHead(collection, key, signal)) ?? head;
  }
  await deleteOlder(place, head, trim);
  const known = head;
  if (!known.hasLast && !(await hasMessages(place, known))) await empty(place, (now) => now.slot === known.slot);
}

/** False when the head is not one to be emptied. */
async function empty(place: MemoryPlace, isWanted: (head: ConversationHead) => boolean): Promise<boolean> {
  const slot = await putMark(place, (head, own) => (isWanted(head) ? own : undefined));
  if (slot === undefined) return false;
  await clear(place, 0, slot);
  return true;
}

/** A mark on top, which leaves the sequence where it is. `fromOf` gives the first slot that still counts, or nothing for no mark. */
async function putMark(
  place: MemoryPlace,
  fromOf: (head: ConversationHead, slot: number) => number | undefined,
): Promise<number | undefined> {
  const write = globalThis.crypto.randomUUID();
  let put: number | undefined;
  await commit({ ...place, write }, (head) => {
    const slot = (head?.slot ?? 0) + 1;
    const from = head === undefined || isOver(head) ? undefined : fromOf(head, slot);
    put = from === undefined ? undefined : slot;
    if (head === undefined || from === undefined) return { documents: [] };
    const { key, storedId: conversationId } = place;
    const written = { key, conversationId, write, slot, from, lifetime: inherited(head) };
    return { documents: writtenDocuments(written, [], { sequence: head.sequence }) };
  });
  return put;
}

async function deleteOlder({ collection, key }: MemoryPlace, head: ConversationHead, trim: Trim): Promise<void> {
  const going = { listed: { $exists: false }, ...(trim.keepSystem ? { type: { $ne: 'system' as const } } : {}) };
  // What lies below `from` is left over from a write that was cut short.
  const filter = { $or: [{ _id: { $lt: documentId(key, head.from) } }, going] };
  const _id = slotRange(key, 0, Math.min(trim.before, head.slot));
  await collection.deleteMany({ _id, ...filter }, acknowledged(collection));
}

async function hasMessages(
  { collection, key, signal }: MemoryPlace,
  { from, end }: ConversationHead,
): Promise<boolean> {
  const filter = { _id: slotRange(key, from, end), type: { $exists: true } };
  return (await collection.findOne(filter, { readPreference: 'primary', projection: { _id: 1 }, signal })) !== null;
}
