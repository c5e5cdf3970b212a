import { type ConversationSlice, throwIfAborted } from '@vernal/core';
import { type FindRange, restoredMessage } from '@vernal/core/adapter';
import type { Filter } from 'mongodb';
import { type ConversationHead, committedHead, headOf, isOver, READ_OPTIONS } from './conversation-head.js';
import { type MemoryDocument, NO_SLOT, type ReadDocument, slotOf, slotRange } from './memory-document.js';
import type { MemoryPlace } from './memory-place.js';
import { type NewestMessages, newestMessages, scan } from './newest-messages.js';

/**
 * From the newest document down, which says what counts. MongoDB promises no snapshot of many documents: a read that cannot tell by their slots
 * that none is missing looks again whether the conversation was replaced or deleted meanwhile, and if so begins anew.
 */
export async function readConversation(place: MemoryPlace, range: FindRange): Promise<ConversationSlice> {
  for (;;) {
    throwIfAborted(place.signal);
    const slice = await readOnce(place, range);
    if (slice !== undefined) return slice;
  }
}

/** Undefined when the conversation was replaced meanwhile. */
async function readOnce(place: MemoryPlace, range: FindRange): Promise<ConversationSlice | undefined> {
  const { collection, key, signal } = place;
  let scanned = range.before === undefined ? await scan(place, NO_SLOT, range.last) : undefined;
  let head = scanned?.[0] === undefined ? undefined : headOf(scanned[0]);
  if (range.before !== undefined || (head !== undefined && head.left > 0)) {
    // What is under way on top may be more than what was asked for.
    scanned = undefined;
    head = await committedHead(collection, key, signal);
  }
  if (head === undefined || isOver(head)) return { messages: [], sequences: [], sequence: 0 };
  if (head.isEmpty) return { messages: [], sequences: [], sequence: head.sequence };
  const newest = await newestMessages(place, head, range, scanned);
  const filters = range.includeSystem ? filtersOutside(place, head, newest) : [];
  if (newest.isWhole && filters.length === 0) return sliceOf(place, head, newest.documents);
  const others = await collection
    .find<ReadDocument>({ $or: [{ _id: slotRange(key, head.slot, NO_SLOT) }, ...filters] }, { ...READ_OPTIONS, signal })
    .toArray();
  if (wasReplaced(head, others)) return undefined;
  const systems = filters.length === 0 ? [] : others.filter((one) => isSystemOutside(one, head, newest));
  return sliceOf(place, head, [...systems, ...newest.documents]);
}

/** System messages below the newest ones, and above them where the range has an upper end. */
function filtersOutside(
  { storedId: conversationId }: MemoryPlace,
  { from, end }: ConversationHead,
  { lowest, below }: NewestMessages,
): Filter<MemoryDocument>[] {
  const sides = [
    [from, lowest],
    [below, end],
  ] as const;
  return sides
    .filter(([low, high]) => low < high)
    .map(([low, high]) => ({ conversationId, type: 'system', sequence: { $gte: low, $lt: high } }));
}

function isSystemOutside(
  document: ReadDocument,
  { from, end }: ConversationHead,
  { lowest, below }: NewestMessages,
): boolean {
  const slot = slotOf(document);
  return document.type === 'system' && slot >= from && slot < end && (slot < lowest || slot >= below);
}

/** The head is gone, or something stands on top that counts from elsewhere. */
function wasReplaced(head: ConversationHead, documents: readonly ReadDocument[]): boolean {
  const onTop = documents.filter((one) => slotOf(one) >= head.slot && one.left === 0);
  return !onTop.some((one) => slotOf(one) === head.slot) || onTop.some(({ from }) => from !== head.from);
}

function sliceOf(
  { conversationId }: MemoryPlace,
  { sequence }: ConversationHead,
  documents: readonly ReadDocument[],
): ConversationSlice {
  const found = documents.toSorted((a, b) => slotOf(a) - slotOf(b));
  const sequences = found.map(slotOf);
  const messages = found.map(({ message }, index) =>
    restoredMessage(message, { conversationId, sequence: sequences[index] ?? 0 }),
  );
  return { messages, sequences, sequence };
}
