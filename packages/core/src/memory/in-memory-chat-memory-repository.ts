import type { Message } from '../messages/message.js';
import type { SignalOptions } from './chat-memory.js';
import type {
  ChatMemoryRepository,
  ConversationSlice,
  DeleteBeforeOptions,
  FindMessagesOptions,
  WriteOptions,
} from './chat-memory-repository.js';

export declare class InMemoryChatMemoryRepository implements ChatMemoryRepository {
  constructor();
  findConversationIds(options?: SignalOptions): AsyncIterable<string>;
  findByConversationId(conversationId: string, options?: FindMessagesOptions): Promise<ConversationSlice>;
  append(
    conversationId: string,
    messages: readonly Message[],
    options?: WriteOptions,
  ): Promise<{ readonly sequence: number }>;
  deleteBefore(conversationId: string, sequence: number, options?: DeleteBeforeOptions): Promise<void>;
  saveAll(
    conversationId: string,
    messages: readonly Message[],
    options?: WriteOptions,
  ): Promise<{ readonly sequence: number }>;
  deleteByConversationId(conversationId: string, options?: SignalOptions): Promise<void>;
}
