import type { Collection, Filter, FindOptions } from 'mongodb';
import {
  checkLayout,
  type MemoryDocument,
  NO_SLOT,
  READ_FIELDS,
  type ReadDocument,
  slotOf,
  slotRange,
} from './memory-document.js';
import { PLAIN_VALUES } from './plain-values.js';

/** Where a conversation stands, as its newest document says. */
export interface ConversationHead {
  readonly slot: number;
  /** Of the last message ever appended. */
  readonly sequence: number;
  /** Slots of messages that count: from here, */
  readonly from: number;
  /** to below here. */
  readonly end: number;
  /** Which write came last, and how many of its documents are missing. */
  readonly write: string;
  readonly left: number;
  /** True when it holds no message, whatever lies below: it was deleted, or emptied. */
  readonly isEmpty: boolean;
  /** True when the last message is certainly there. */
  readonly hasLast: boolean;
  readonly until: Date | undefined;
  readonly keptUntil: Date | undefined;
}

/** Throws `invalid_state` for a layout that this release does not know. */
export function headOf(document: ReadDocument): ConversationHead {
  checkLayout(document);
  const slot = slotOf(document);
  const { sequence, from, voidFrom, write, left, type, listed, until, keptUntil } = document;
  // A conversation with messages begins with one; a first document that is none stands for nothing before it and nothing after.
  const isEmpty = type === undefined && slot === from;
  const hasLast = type !== undefined || listed !== undefined;
  return { slot, sequence, from, end: voidFrom ?? slot + 1, write, left, isEmpty, hasLast, until, keptUntil };
}

/** Always of the primary: another member may not have the newest document yet. */
export const READ_OPTIONS: FindOptions = { ...PLAIN_VALUES, readPreference: 'primary', projection: READ_FIELDS };

/** Of the newest document, whatever it is. */
export async function newestHead(
  collection: Collection<MemoryDocument>,
  key: string,
  signal: AbortSignal | undefined,
  filter: Filter<MemoryDocument> = {},
): Promise<ConversationHead | undefined> {
  const [document] = await collection
    .find<ReadDocument>(
      { _id: slotRange(key, 0, NO_SLOT), ...filter },
      {
        ...READ_OPTIONS,
        projection: { ...READ_FIELDS, message: 0 },
        sort: { _id: -1 },
        limit: 1,
        singleBatch: true,
        signal,
      },
    )
    .toArray();
  return document === undefined ? undefined : headOf(document);
}

/** The head of what was written whole, past a write that is under way. */
export function committedHead(
  collection: Collection<MemoryDocument>,
  key: string,
  signal: AbortSignal | undefined,
): Promise<ConversationHead | undefined> {
  return newestHead(collection, key, signal, { left: 0 });
}

/** True when its time is over, whether or not the server has removed it. */
export function isOver({ until }: Pick<ConversationHead, 'until'>): boolean {
  return until !== undefined && until.getTime() <= Date.now();
}
