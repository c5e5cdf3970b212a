import type { Message } from './message.js';

/** The version that `encodeMessage` writes. `decodeMessage` reads this one and every older one. */
export declare const MESSAGE_VERSION: 1;

/** Versioned, lossless, canonical JSON text; bytes are written as base64 and come back as bytes. */
export declare function encodeMessage(message: Message): string;

/** Throws `message_version` for a newer version and `invalid_argument` for anything else that is not a message. */
export declare function decodeMessage(text: string): Message;
