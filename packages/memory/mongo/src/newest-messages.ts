import type { FindRange } from '@vernal/core/adapter';
import { type ConversationHead, READ_OPTIONS } from './conversation-head.js';
import { type ReadDocument, slotOf, slotRange } from './memory-document.js';
import type { MemoryPlace } from './memory-place.js';

const MOST_IN_ONE_BATCH = 10_000;

/** The newest messages of a range. */
export interface NewestMessages {
  readonly documents: readonly ReadDocument[];
  /** Everything from here */
  readonly lowest: number;
  /** to below here was looked at. */
  readonly below: number;
  /** True when no slot of it is missing. */
  readonly isWhole: boolean;
}

/** Goes on below `scanned`, if that was read already, until there are as many as asked for. */
export async function newestMessages(
  place: MemoryPlace,
  { from, end }: ConversationHead,
  { before, last = Number.POSITIVE_INFINITY }: FindRange,
  scanned: readonly ReadDocument[] | undefined,
): Promise<NewestMessages> {
  const below = Math.min(before ?? end, end);
  const documents: ReadDocument[] = [];
  let lowest = below;
  let isWhole = true;
  let page = scanned;
  while (documents.length < last && lowest > from) {
    const wanted = last - documents.length;
    page ??= await scan(place, lowest, wanted);
    for (const one of page) {
      const slot = slotOf(one);
      if (slot >= lowest) continue;
      if (slot < from || documents.length === last) break;
      if (slot !== lowest - 1) isWhole = false;
      lowest = slot;
      if (one.type !== undefined) documents.push(one);
    }
    const isEnd = page.length < limitOf(wanted) || slotOf(page.at(-1) ?? { _id: '' }) < from;
    page = undefined;
    if (!isEnd) continue;
    if (documents.length < last && lowest > from) isWhole = false;
    break;
  }
  return { documents, lowest, below, isWhole };
}

/** Documents below a slot, the newest first: as many, and one for a mark that may be among them. */
export function scan(
  { collection, key, signal }: MemoryPlace,
  below: number,
  last: number = Number.POSITIVE_INFINITY,
): Promise<ReadDocument[]> {
  const limit = limitOf(last);
  // One more than the limit, and the server closes the cursor by itself.
  const page = { batchSize: Math.min(limit + 1, MOST_IN_ONE_BATCH), ...(Number.isFinite(limit) ? { limit } : {}) };
  return collection
    .find<ReadDocument>({ _id: slotRange(key, 0, below) }, { ...READ_OPTIONS, ...page, sort: { _id: -1 }, signal })
    .toArray();
}

function limitOf(last: number): number {
  return Math.min(last + 1, last === Number.POSITIVE_INFINITY ? last : 2 ** 31 - 1);
}
