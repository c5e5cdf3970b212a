import type { ContextKey } from '../context/context-key.js';
import type { Message } from '../messages/message.js';

/**
 * Context key of the conversation id: 'chat_memory_conversation_id'. There is no default conversation: without an id,
 * `missing_conversation_id`. Source: `ChatMemory.CONVERSATION_ID` of spring-ai-model.
 */
export const CONVERSATION_ID: ContextKey<string> = 'chat_memory_conversation_id';

/** Ends the waiting: rejects with `aborted` or `timeout`. */
export interface SignalOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * What the model is to remember of a conversation. Any non-blank string is an id; anything else is `missing_conversation_id`, so that
 * nobody ends up in somebody else's conversation. Source: `ChatMemory` of spring-ai-model.
 */
export interface ChatMemory {
  /** Lands whole or not at all; two writers to one conversation both land. */
  add(conversationId: string, messages: Message | readonly Message[], options?: SignalOptions): Promise<void>;
  /** Oldest first, ready to be sent. Unknown id: []. */
  get(conversationId: string, options?: SignalOptions): Promise<Message[]>;
  clear(conversationId: string, options?: SignalOptions): Promise<void>;
}
