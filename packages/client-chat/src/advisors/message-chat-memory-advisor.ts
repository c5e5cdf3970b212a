import type { ChatMemory } from '@vernal/core';
import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';

/**
 * Puts the conversation's messages before the prompt's, and appends the whole turn once, when it ends; a turn that failed is stored
 * with a 'cancelled' mark. Needs `CONVERSATION_ID`. Scope 'turn', role 'memory'.
 */
export declare class MessageChatMemoryAdvisor extends BaseAdvisor {
  readonly name: string;
  override readonly role: 'memory';
  constructor(options: AdvisorPlace & { readonly chatMemory: ChatMemory });
}
