import type { TokenCountEstimator } from '../embedding/batching-strategy.js';
import type { Message } from '../messages/message.js';
import type { ChatMemory, SignalOptions } from './chat-memory.js';
import type { WindowOptions } from './message-window-chat-memory.js';

export declare class TokenWindowChatMemory implements ChatMemory {
  constructor(options: WindowOptions & { readonly maxTokens: number; readonly estimator: TokenCountEstimator });
  add(conversationId: string, messages: Message | readonly Message[], options?: SignalOptions): Promise<void>;
  get(conversationId: string, options?: SignalOptions): Promise<Message[]>;
  clear(conversationId: string, options?: SignalOptions): Promise<void>;
}
