import type { Message } from '@vernal/core';

/** A message that a search found. */
export interface FoundMessage {
  readonly conversationId: string;
  readonly message: Message;
  /** Of the message in its conversation. */
  readonly sequence: number;
  /** When it was stored: milliseconds since 1970, by the clock of the server. */
  readonly createdAt: number;
}
