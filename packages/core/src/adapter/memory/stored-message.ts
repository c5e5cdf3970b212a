import { decodeMessage, encodeMessage, type Message, messageText, VernalError } from '@vernal/core';
import { readableText } from './storable-text.js';

/** A message as a repository keeps it: all of it, and beside it what people ask for. */
export interface StoredMessage {
  readonly type: Message['type'];
  /** Its text; of a tool's message what the tools gave. For people: characters that engines refuse are U+FFFD in it. */
  readonly text: string;
  /** As `encodeMessage` writes it: what the message is read from. Holds no U+0000 and no half surrogate pair. */
  readonly message: string;
}

/** Where a message was found, for the error. */
export interface StoredMessagePlace {
  readonly conversationId: string;
  readonly sequence: number;
}

/** Throws `invalid_argument` for what is no message. */
export function storedMessage(message: Message): StoredMessage {
  const encoded = encodeMessage(message);
  return { type: message.type, text: readableText(searched(message)), message: encoded };
}

/**
 * The message of a row.
 *
 * @throws VernalError `message_version` when a newer release wrote it, `store_read` when it is no message; both name the place
 */
export function restoredMessage(message: unknown, { conversationId, sequence }: StoredMessagePlace): Message {
  try {
    return decodeMessage(message as string);
  } catch (error) {
    const isNewer = VernalError.is(error) && error.code === 'message_version';
    const details = { ...(VernalError.is(error) ? error.details : {}), conversationId, sequence };
    throw new VernalError(
      isNewer
        ? `The message at sequence ${sequence} was written by a newer release; update @vernal/core`
        : `The message at sequence ${sequence} cannot be read; restore its row, or delete it, for example with deleteBefore()`,
      { code: isNewer ? 'message_version' : 'store_read', subject: 'message', details, cause: error },
    );
  }
}

function searched(message: Message): string {
  return message.type === 'tool'
    ? message.responses.map((response) => response.result).join('\n')
    : messageText(message);
}
