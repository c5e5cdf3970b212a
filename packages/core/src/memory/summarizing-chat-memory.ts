import type { Message } from '../messages/message.js';
import type { ChatModel } from '../model/chat-model.js';
import type { PromptTemplate } from '../templates/prompt-template.js';
import type { ChatMemory, SignalOptions } from './chat-memory.js';
import type { WindowOptions } from './message-window-chat-memory.js';

export declare class SummarizingChatMemory implements ChatMemory {
  constructor(
    options: WindowOptions & {
      readonly model: ChatModel;
      /** Default 20. */
      readonly maxMessages?: number | undefined;
      /** Needs `{summary}` and `{messages}`. */
      readonly promptTemplate?: PromptTemplate | undefined;
      /** Default false: `add` waits for the summary. */
      readonly background?: boolean | undefined;
    },
  );
  add(conversationId: string, messages: Message | readonly Message[], options?: SignalOptions): Promise<void>;
  get(conversationId: string, options?: SignalOptions): Promise<Message[]>;
  clear(conversationId: string, options?: SignalOptions): Promise<void>;
}
