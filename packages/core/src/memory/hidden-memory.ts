import type { Message } from '../messages/message.js';
import type { ChatMemory, SignalOptions } from './chat-memory.js';
import { type HiddenState, hiddenState } from './hidden-state.js';

const memories: HiddenState<HiddenMemory, ChatMemory> = /* @__PURE__ */ hiddenState();

/** A memory by another one that is kept out of its type, so that two copies of the package agree on it. */
export class HiddenMemory implements ChatMemory {
  constructor(memory: ChatMemory) {
    memories.set(this, memory);
  }

  add(conversationId: string, messages: Message | readonly Message[], options?: SignalOptions): Promise<void> {
    return memories.of(this).add(conversationId, messages, options);
  }

  get(conversationId: string, options?: SignalOptions): Promise<Message[]> {
    return memories.of(this).get(conversationId, options);
  }

  clear(conversationId: string, options?: SignalOptions): Promise<void> {
    return memories.of(this).clear(conversationId, options);
  }
}
