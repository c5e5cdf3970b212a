import type { ChatModel, ChatOptions } from '@vernal/core';
import type { AdvisorPlace } from './base-advisor.js';
import { BaseAdvisor } from './base-advisor.js';

/** Asks the next model when one fails for good. Options of other providers ride along unread. */
export declare class FallbackAdvisor extends BaseAdvisor {
  readonly name: string;
  constructor(
    options: AdvisorPlace & {
      readonly models: readonly { readonly model: ChatModel; readonly options?: ChatOptions | undefined }[];
    },
  );
}
