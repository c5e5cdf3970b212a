import type { ChatModel, PromptTemplate } from '@vernal/core';

export interface EnricherOptions {
  readonly model: ChatModel;
  readonly promptTemplate?: PromptTemplate | undefined;
  /** Default 4. */
  readonly concurrency?: number | undefined;
}
