import type { ChatMemory, PromptTemplate } from '@vernal/core';
import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';

/** The conversation as text in the system message. Template needs `{instructions}` and `{memory}`. */
export declare class PromptChatMemoryAdvisor extends BaseAdvisor {
  readonly name: string;
  override readonly role: 'memory';
  constructor(
    options: AdvisorPlace & { readonly chatMemory: ChatMemory; readonly promptTemplate?: PromptTemplate | undefined },
  );
}
