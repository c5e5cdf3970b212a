import { invalidArgument } from '../errors/invalid-argument.js';
import { VernalError } from '../errors/vernal-error.js';
import { canonicalJson } from '../json/canonical-json.js';
import { parseVersioned } from '../json/json-reader.js';
import type { JsonObject } from '../json/json-value.js';
import type { Message } from './message.js';
import { messageFromJson, messageToJson } from './message-json.js';

/** The version that `encodeMessage` writes. `decodeMessage` reads this one and every older one. */
export const MESSAGE_VERSION = 1 as const;

/**
 * Versioned, lossless, canonical JSON text; bytes are written as base64 and come back as bytes. Equal messages give equal text.
 * The text is one object, its version under `v` and the message's own fields beside it.
 * Throws `invalid_argument` for what is no message, and for metadata that was put in by hand and is not JSON.
 */
export function encodeMessage(message: Message): string {
  // Behind every name that a message's members have.
  return `${canonicalJson(jsonOf(message)).slice(0, -1)},"v":${MESSAGE_VERSION}}`;
}

function jsonOf(message: Message): JsonObject {
  try {
    return messageToJson(message);
  } catch (error) {
    if (VernalError.is(error)) throw error;
    // A list or an object that is missing: what was given is no message, whatever its type says.
    throw invalidArgument('message', 'is no message; make it with userMessage() or one of its siblings');
  }
}

/** Throws `message_version` for a newer version and `invalid_argument` for anything else that is not a message. */
export function decodeMessage(text: string): Message {
  return messageFromJson(parseVersioned(text, 'message', MESSAGE_VERSION), 'message');
}
