import type { Logger } from '../logging/logger.js';
import type { Message } from '../messages/message.js';
import type { ChatMemory, SignalOptions } from './chat-memory.js';
import type { ChatMemoryRepository } from './chat-memory-repository.js';

export interface WindowOptions {
  /** Default a new `InMemoryChatMemoryRepository`. */
  readonly repository?: ChatMemoryRepository | undefined;
  /** Keeps everything that the window drops; memory is not history. */
  readonly transcript?: ChatMemoryRepository | undefined;
  readonly logger?: Logger | undefined;
}

/**
 * Appends, reads the newest part plus system messages, trims with `deleteBefore`; never rewrites a conversation. Cuts before a user
 * message, never between a call and its answer, and never into the running turn. A different system message replaces the old ones.
 */
export declare class MessageWindowChatMemory implements ChatMemory {
  /** `maxMessages` default 20, > 0, system messages not counted. */
  constructor(options?: WindowOptions & { readonly maxMessages?: number | undefined });
  add(conversationId: string, messages: Message | readonly Message[], options?: SignalOptions): Promise<void>;
  get(conversationId: string, options?: SignalOptions): Promise<Message[]>;
  clear(conversationId: string, options?: SignalOptions): Promise<void>;
}
