import type { ChatMemory, Message, Prompt } from '@vernal/core';
import { messageEquals } from '@vernal/core';
import { setAdvice } from '../chain/advice.js';
import { memoryAdvice } from '../chain/memory-advice.js';
import { closeOpenCalls } from '../chain/open-calls.js';
import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';
import { memoryPlace } from './memory-place.js';

/**
 * Puts the conversation's messages before the prompt's, and appends the whole turn once, when it ends; a turn that failed is stored
 * with a 'cancelled' mark (a closing assistant message with metadata `{ cancelled: true }`). Needs `CONVERSATION_ID`
 * (`missing_conversation_id`). Scope 'turn', role 'memory', order `DEFAULT_CHAT_MEMORY_ORDER`.
 *
 * The system message stands once, and in front: the prompt's, else the remembered one. System messages are never stored. What the prompt
 * begins with and the conversation ends with stands once, too. With scope
 * 'round' the memory stands inside the tool loop and every round is stored as it ends.
 * Source: `MessageChatMemoryAdvisor` of spring-ai-client-chat.
 *
 * @example
 * const client = ChatClient.builder(model).defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory })).build();
 * await client.prompt('I am Ann').conversation('ann-1').call().content();
 */
export class MessageChatMemoryAdvisor extends BaseAdvisor {
  readonly name: string = 'MessageChatMemoryAdvisor';
  override readonly role: 'memory';

  constructor(options: AdvisorPlace & { readonly chatMemory: ChatMemory }) {
    super(options, memoryPlace(options));
    this.role = 'memory';
    setAdvice(this, memoryAdvice(options.chatMemory, withHistory));
  }
}

function withHistory(prompt: Prompt, history: readonly Message[]): Prompt {
  const system = prompt.messages.filter(isSystem);
  const remembered = history.filter(isSystem).slice(-1);
  const said = prompt.messages.filter((message) => !isSystem(message));
  const before = history.filter((message) => !isSystem(message));
  const messages = [...before.slice(0, before.length - overlap(before, said)), ...said];
  return prompt.withMessages([...(system.length > 0 ? system : remembered), ...closeOpenCalls(messages)]);
}

/** How many messages at the end of the history the prompt begins with: the tool loop, or a caller, carries them already. */
function overlap(history: readonly Message[], said: readonly Message[]): number {
  let length = Math.min(history.length, said.length);
  while (!history.slice(history.length - length).every((message, i) => isSame(message, said[i]))) length--;
  return length;
}

function isSame(message: Message, other: Message | undefined): boolean {
  return other !== undefined && messageEquals(message, other);
}

function isSystem(message: Message): boolean {
  return message.type === 'system';
}
