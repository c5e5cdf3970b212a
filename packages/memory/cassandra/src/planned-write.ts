import { invalidArgument, type Message } from '@vernal/core';
import { storedMessage } from '@vernal/core/adapter';
import { type PartedMessage, partsOf } from './message-parts.js';

/** A message as its row will be, but for its sequence. */
export interface PlannedRow {
  readonly isSystem: boolean;
  readonly type: string;
  readonly text: string;
  /** Undefined for one in parts. */
  readonly message: string | undefined;
  readonly item: number;
  /** How many parts; 0 for one that stands in its row. */
  readonly parts: number;
}

/** All that a write stores. */
export interface PlannedWrite {
  readonly writeId: string;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly rows: readonly PlannedRow[];
  readonly parted: readonly PartedMessage[];
}

/** Characters of a message that stands in its row. */
const LARGE = 32 * 1024;
/** Bytes of all rows of a write, which is one mutation; the smallest common limit of these is 4 MiB. */
const ROOM = 2 * 1024 * 1024;
/** Bytes of a row beside its texts. */
const OVERHEAD = 100;
/** Characters of the text of a message in parts that stand in its row; fewer where there are many. */
const EXCERPT = 100;
/** Messages a write. */
export const MOST_MESSAGES = 10_000;
/** Characters a message, encoded. */
export const LONGEST_MESSAGE: number = 64 * 1024 * 1024;

/**
 * Splits off the large messages, and if the rows are too much together, the largest of them, until they are not.
 *
 * @throws VernalError `invalid_argument` for what is no message, for too many and too long ones
 */
export function plannedWrite(messages: readonly Message[]): PlannedWrite {
  const stored = messages.map(storedMessage);
  if (stored.length > MOST_MESSAGES)
    throw invalidArgument('messages', `must be at most ${MOST_MESSAGES} at once: append them in several calls`);
  if (stored.some(({ message }) => message.length > LONGEST_MESSAGE))
    throw invalidArgument('messages', `must each have at most ${LONGEST_MESSAGE} characters: store media by their URL`);
  const sizes = stored.map(({ message, text }) =>
    message.length > LARGE ? OVERHEAD : OVERHEAD + byteLength(message) + byteLength(text),
  );
  const isParted = stored.map(({ message }) => message.length > LARGE);
  let size = sizes.reduce((sum, one) => sum + one, 0);
  const bySize = size <= ROOM ? [] : [...sizes.keys()].sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
  for (const index of bySize) {
    if (size <= ROOM) break;
    if (isParted[index]) continue;
    isParted[index] = true;
    size -= (sizes[index] ?? 0) - OVERHEAD;
  }
  const parted: PartedMessage[] = [];
  const count = isParted.filter(Boolean).length;
  const shown = Math.min(EXCERPT, Math.floor(ROOM / 10 / Math.max(count, 1)));
  const rows = stored.map(({ type, text, message }, item): PlannedRow => {
    const isSystem = type === 'system';
    if (!isParted[item]) return { isSystem, type, text, message, item, parts: 0 };
    const parts = partsOf(message);
    parted.push({ item, parts });
    return { isSystem, type, text: excerpt(text, shown), message: undefined, item, parts: parts.length };
  });
  return { writeId: globalThis.crypto.randomUUID(), createdAt: Date.now(), rows, parted };
}

const utf8 = new TextEncoder();

function byteLength(text: string): number {
  return utf8.encode(text).length;
}

/** Never ends in half a character. */
function excerpt(text: string, length: number): string {
  const end = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(end) ? end.slice(0, -1) : end;
}
