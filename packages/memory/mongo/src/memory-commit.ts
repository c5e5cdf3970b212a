import { throwIfAborted, VernalError } from '@vernal/core';
import { backOff } from '@vernal/core/adapter';
import type { Collection, FindOptions } from 'mongodb';
import { type ConversationHead, committedHead, newestHead, READ_OPTIONS } from './conversation-head.js';
import { inherited, type Renewal } from './lifetime.js';
import { type MemoryDocument, NO_SLOT, slotOf, slotRange } from './memory-document.js';
import { isAway, isBroken, isDuplicate } from './mongo-error.js';
import { acknowledged } from './write-concern.js';
import { writtenDocuments } from './written-documents.js';

const MOST_TRIES = 200;

/** How long a write may stand still before it is taken for abandoned; it is told if it was not. */
const PATIENCE_MS = 1000;

/** Where a write goes. */
export interface CommitPlace {
  readonly collection: Collection<MemoryDocument>;
  readonly key: string;
  /** Unlike any other: what the write is recognised by. */
  readonly write: string;
  readonly signal: AbortSignal | undefined;
}

/** What is to be written on top of a head. */
export interface PlannedCommit {
  /** None: nothing is to be done. */
  readonly documents: readonly MemoryDocument[];
  readonly renewal?: Renewal | undefined;
}

/**
 * Writes what `plan` makes of where the conversation stands, whole or not at all, without a transaction: no two writers get the same slot, and
 * documents count when the last of their write is there. Whoever finds a slot taken looks again where the conversation stands, and `plan` may
 * then throw. Nothing is put on top of a write that is not whole.
 *
 * A write whose answer was lost is looked for before it is tried again: its documents carry its name. One that came so late that others had
 * written and trimmed before it found a slot free again that was taken before: it lies below what it should stand on, and is taken back.
 */
export async function commit(
  place: CommitPlace,
  plan: (head: ConversationHead | undefined) => PlannedCommit,
): Promise<readonly MemoryDocument[]> {
  const { collection, key, signal } = place;
  let doubtful: readonly MemoryDocument[] = [];
  let lost: unknown;
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      if (tries > 0) await backOff(tries, signal);
      const head = await settledHead(place);
      if ((await hasLanded(place, doubtful)) && (await isOnTop(place, doubtful))) return doubtful;
      const { documents: planned, renewal } = plan(head);
      if (planned.length === 0) return planned;
      const documents = planned.map((document, index) =>
        index === 0 ? { ...document, after: head?.write } : document,
      );
      const older = { _id: slotRange(key, head?.from ?? 0, head?.end ?? 0) };
      if (renewal?.before !== undefined) await collection.updateMany(older, renewal.before, acknowledged(collection));
      throwIfAborted(signal);
      try {
        await collection.insertMany([...documents], {
          ...acknowledged(collection),
          ordered: true,
          ignoreUndefined: true,
        });
        if (!(await isOnTop(place, documents))) continue;
      } catch (error) {
        if (!isDuplicate(error) && (lost !== undefined || !isBroken(error))) throw error;
        if (!isDuplicate(error)) lost = error;
        // A slot in the middle was taken: what went into those before it came too late.
        else if (!(await hasLanded(place, documents))) await takeBack(place, documents);
        doubtful = documents;
        continue;
      }
      if (renewal?.after !== undefined) await collection.updateMany(older, renewal.after, acknowledged(collection));
      return documents;
    }
  } catch (error) {
    // The first failure says that nobody knows; that the server is still away does not.
    throw lost !== undefined && isAway(error) ? lost : error;
  }
  throw new VernalError('Too many write to the conversation at once: try again later', {
    code: 'store_write',
    subject: 'conversationId',
    retryable: true,
  });
}

/**
 * Takes the write back and gives false when something stands above it that was not put on top of it: it came too late. What came after it says
 * so by its name.
 */
async function isOnTop(place: CommitPlace, documents: readonly MemoryDocument[]): Promise<boolean> {
  const { collection, key, write } = place;
  const last = documents.at(-1);
  if (last === undefined) return false;
  const above = slotOf(last) + 1;
  const options: FindOptions = { ...READ_OPTIONS, projection: { after: 1 }, sort: { _id: 1 }, limit: 1 };
  const [next] = await collection
    .find<Pick<MemoryDocument, '_id' | 'after'>>({ _id: slotRange(key, above, NO_SLOT) }, options)
    .toArray();
  if (next === undefined || (slotOf(next) === above && next.after === write)) return true;
  await takeBack(place, documents);
  return false;
}

async function takeBack({ collection, key, write }: CommitPlace, documents: readonly MemoryDocument[]): Promise<void> {
  const [first, last] = [documents.at(0), documents.at(-1)];
  if (first === undefined || last === undefined) return;
  const _id = slotRange(key, slotOf(first), slotOf(last) + 1);
  await collection.deleteMany({ _id, write }, acknowledged(collection));
}

/** Nothing is changed, but the answer says that the last document is there, and comes when it is as safe as a write. */
async function hasLanded({ collection, write }: CommitPlace, documents: readonly MemoryDocument[]): Promise<boolean> {
  const last = documents.at(-1);
  if (last === undefined) return false;
  const { matchedCount } = await collection.updateOne(
    { _id: last._id, write },
    { $set: { write } },
    acknowledged(collection),
  );
  return matchedCount === 1;
}

/** The head, when no write is under way any more. One that stands still is ended. */
async function settledHead(place: CommitPlace): Promise<ConversationHead | undefined> {
  const { collection, key, signal } = place;
  let seen: ConversationHead | undefined;
  let since = 0;
  for (let tries = 0; ; tries++) {
    const head = await newestHead(collection, key, signal);
    if (head === undefined || head.left === 0) {
      if (head !== undefined && head.end <= head.slot) await clear(place, head.end, head.slot);
      return head;
    }
    if (head.slot !== seen?.slot) {
      seen = head;
      since = performance.now();
    } else if (performance.now() - since > PATIENCE_MS) await endAbandoned(place, head);
    await backOff(tries, signal);
  }
}

/** Takes the slot that the abandoned write would need next: it can never be whole. Its documents are void, and then deleted. */
async function endAbandoned(place: CommitPlace, abandoned: ConversationHead): Promise<void> {
  const { collection, key, signal } = place;
  const whole = await committedHead(collection, key, signal);
  const slot = abandoned.slot + 1;
  const mark = { sequence: whole?.sequence ?? 0, voidFrom: whole?.end };
  const from = whole === undefined || whole.isEmpty ? slot : whole.from;
  const written = {
    key,
    conversationId: '',
    write: globalThis.crypto.randomUUID(),
    slot,
    from,
    lifetime: inherited(whole),
  };
  try {
    const documents = writtenDocuments(written, [], mark).map((one) => ({ ...one, after: abandoned.write }));
    await collection.insertMany(documents, acknowledged(collection));
  } catch (error) {
    // It went on, or somebody else has ended it.
    if (!isDuplicate(error)) throw error;
  }
}

/** Deletes what lies in these slots, whatever it is. */
export async function clear(
  { collection, key }: Omit<CommitPlace, 'write'>,
  from: number,
  below: number,
): Promise<void> {
  await collection.deleteMany({ _id: slotRange(key, from, below) }, acknowledged(collection));
}
