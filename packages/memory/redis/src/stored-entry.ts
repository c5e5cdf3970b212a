import type { Message } from '@vernal/core';
import { restoredMessage, type StoredMessagePlace } from '@vernal/core/adapter';

/** A message as it lies in the hash of its conversation. */
export interface StoredEntry {
  /** Milliseconds since 1970; 0 where nobody wrote it down. */
  readonly createdAt: number;
  readonly message: Message;
}

/** What the script that writes puts in front of the message, and a brace behind it. Together they are one JSON text. */
const HEAD = /^\{"createdAt":(\d+),"message":/;

/** Throws `store_read` for what is no message, `message_version` for what a newer release wrote. */
export function storedEntry(entry: string, place: StoredMessagePlace): StoredEntry {
  const head = HEAD.exec(entry);
  const message = head === null ? entry : entry.slice(head[0].length, -1);
  return { createdAt: Number(head?.[1] ?? 0), message: restoredMessage(message, place) };
}
