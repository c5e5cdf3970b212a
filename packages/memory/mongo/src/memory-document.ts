import type { Message } from '@vernal/core';
import { VernalError } from '@vernal/core';

/** The version of the layout that this release writes. */
export const LAYOUT = 1;

/**
 * A document of the collection: a message, or a mark that holds none and says where the conversation stands. They are written once, and
 * in the order of their slots; the last document of a write, which has none left, is what makes all of them count.
 */
export interface MemoryDocument {
  /** Key of the conversation, `#`, slot: no two writers get the same. */
  readonly _id: string;
  readonly layout: number;
  readonly conversationId?: string | undefined;
  /** Of the message: its slot. In a mark: that of the conversation. */
  readonly sequence: number;
  readonly type?: Message['type'] | undefined;
  readonly text?: string | undefined;
  readonly message?: string | undefined;
  readonly createdAt: Date;
  /** Which write it came with. */
  readonly write: string;
  /** In the first of a write: which write it was put on top of. */
  readonly after?: string | undefined;
  /** How many documents of its write come after it. */
  readonly left: number;
  /** The first slot that is not replaced or deleted. */
  readonly from: number;
  /** In a mark that ends an abandoned write: slots from here to its own are void. */
  readonly voidFrom?: number | undefined;
  /** Key of the conversation, in the mark that lists it. */
  readonly listed?: string | undefined;
  /** When the conversation ends, if nobody appends. */
  readonly until?: Date | undefined;
  /** No document of the conversation is removed by the server before this. */
  readonly keptUntil?: Date | undefined;
  /** When the server removes this one. */
  readonly expiresAt?: Date | undefined;
}

/** As reads give it: without the text for people. */
export type ReadDocument = Omit<MemoryDocument, 'text' | 'createdAt'>;

/** What a read leaves out. */
export const READ_FIELDS = { text: 0, createdAt: 0 } as const;

const DIGITS = 16;

/** `key`: of `conversationKey()`, which has no '#'. Ids of one conversation sort by their slots. */
export function documentId(key: string, slot: number): string {
  return `${key}#${String(slot).padStart(DIGITS, '0')}`;
}

export function slotOf({ _id }: Pick<MemoryDocument, '_id'>): number {
  return Number(_id.slice(-DIGITS));
}

/** Ids of slots from `from` to below `below`. */
export function slotRange(key: string, from: number, below: number): { readonly $gte: string; readonly $lt: string } {
  return { $gte: documentId(key, from), $lt: documentId(key, below) };
}

/** Above every slot. */
export const NO_SLOT: number = Number.MAX_SAFE_INTEGER;

/** Throws `invalid_state` for a layout that this release does not know. */
export function checkLayout({ layout }: ReadDocument): void {
  if (layout === LAYOUT) return;
  throw new VernalError(
    `The conversation is stored in layout ${Number(layout)}, this release knows ${LAYOUT}: update @vernal/memory-mongo`,
    { code: 'invalid_state', subject: 'layout', details: { layout: Number(layout), supported: LAYOUT } },
  );
}
