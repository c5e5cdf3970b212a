import type { PromptTemplate } from '@vernal/core';
import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';

/** Repeats the question (RE2). Template needs `{re2_input_query}`. */
export declare class ReReadingAdvisor extends BaseAdvisor {
  readonly name: string;
  constructor(options?: AdvisorPlace & { readonly promptTemplate?: PromptTemplate | undefined });
}
