import { invalidArgument } from '@vernal/core';
import type { StoredMessage } from '@vernal/core/adapter';
import type { Lifetime } from './lifetime.js';
import { documentId, LAYOUT, type MemoryDocument } from './memory-document.js';

/** 16 MiB is the most that a document holds; the rest of one needs little. */
const MOST_BYTES = 16 * 1024 * 1024 - 64 * 1024;

/** What the documents of one write have in common. */
export interface Written {
  readonly key: string;
  /** As `storableText` writes it. */
  readonly conversationId: string;
  readonly write: string;
  /** The slot of the first of them. */
  readonly slot: number;
  readonly from: number;
  readonly lifetime: Lifetime;
}

/** A mark: a document without a message. */
export interface Mark {
  /** Where the conversation stands. */
  readonly sequence: number;
  readonly voidFrom?: number | undefined;
  /** True when the conversation is to be found by the list. */
  readonly isListed?: boolean | undefined;
}

/** The messages, and behind them a mark if there is one. */
export function writtenDocuments(written: Written, messages: readonly StoredMessage[], mark?: Mark): MemoryDocument[] {
  const { key, conversationId, write, slot: first, from, lifetime } = written;
  const count = messages.length + (mark === undefined ? 0 : 1);
  const createdAt = new Date();
  const common = (index: number): Pick<MemoryDocument, '_id' | 'layout' | 'write' | 'left' | 'from' | 'createdAt'> => ({
    _id: documentId(key, first + index),
    layout: LAYOUT,
    write,
    left: count - 1 - index,
    from,
    createdAt,
  });
  const documents: MemoryDocument[] = messages.map((stored, index) => ({
    ...common(index),
    conversationId,
    sequence: first + index,
    ...fitting(stored, conversationId),
    ...lifetime,
  }));
  if (mark !== undefined) {
    const { sequence, voidFrom, isListed } = mark;
    documents.push({
      ...common(messages.length),
      sequence,
      ...(voidFrom === undefined ? {} : { voidFrom }),
      ...(isListed ? { conversationId, listed: key } : {}),
      ...lifetime,
    });
  }
  return documents;
}

/** Throws `invalid_argument` for a message that is larger than a document. */
export function checkSizes(conversationId: string, messages: readonly StoredMessage[]): void {
  const room = MOST_BYTES - Buffer.byteLength(conversationId);
  for (const [index, { message }] of messages.entries()) {
    const bytes = Buffer.byteLength(message);
    if (bytes > room)
      throw invalidArgument(
        `messages[${index}]`,
        `takes ${bytes} bytes, and a document of MongoDB holds ${room} of them: keep media elsewhere, and give their url`,
      );
  }
}

/** The text beside the message is for people, and gives way where there is no room for both. */
function fitting({ type, text, message }: StoredMessage, conversationId: string): Partial<MemoryDocument> {
  const bytes = Buffer.byteLength(conversationId) + Buffer.byteLength(text) + Buffer.byteLength(message);
  return bytes <= MOST_BYTES ? { type, text, message } : { type, message };
}
