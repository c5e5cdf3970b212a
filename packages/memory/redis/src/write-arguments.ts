import type { Message, WriteOptions } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import { storableText, storedMessage } from '@vernal/core/adapter';
import type { ConversationKeys } from './conversation-keys.js';
import type { MemorySettings } from './memory-settings.js';
import type { RedisMemoryArgument } from './redis-memory-client.js';
import { copyFields, copyValues } from './search/message-copy.js';

/** What the server takes in one command is 1,048,576 parts. */
const MOST_ARGUMENTS = 1_000_000;

/** Whose messages are written. */
export interface WrittenConversation {
  readonly conversationId: string;
  readonly key: string;
  readonly keys: ConversationKeys;
}

/** The values of the script `WRITE`. Throws `invalid_argument` for what is no message, and for more than one command takes. */
export function writeArguments(
  mode: 'append' | 'replace',
  { conversationId, key, keys }: WrittenConversation,
  messages: readonly Message[],
  { ttlMs, search, fields }: MemorySettings,
  { expectedSequence }: WriteOptions,
): RedisMemoryArgument[] {
  const names = search ? copyFields(fields) : [];
  const most = Math.floor(MOST_ARGUMENTS / (2 + names.length));
  if (messages.length > most) throw invalidArgument('messages', `must be at most ${most} in one go`);
  const args: RedisMemoryArgument[] = [
    mode,
    globalThis.crypto.randomUUID(),
    expectedSequence === undefined ? '' : String(expectedSequence),
    ttlMs,
    storableText(conversationId),
    key,
    keys.copies,
    names.length,
    ...names,
  ];
  for (const message of messages) {
    const { type, text, message: encoded } = storedMessage(message);
    args.push(type, encoded);
    if (search) args.push(...copyValues(text, message.metadata, fields));
  }
  return args;
}
