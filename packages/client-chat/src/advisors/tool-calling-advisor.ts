import type { ChatResponse, ToolCallingManager, Usage } from '@vernal/core';
import type { ChatClientRequest, ChatClientResponse } from './advisor-request.js';
import { BaseAdvisor } from './base-advisor.js';

/** What a round may change before the model is asked again. */
export interface ToolRound {
  /** 0 for the first. */
  readonly index: number;
  readonly request: ChatClientRequest;
  readonly usage: Usage;
}

export interface ToolCallingAdvisorOptions {
  readonly manager?: ToolCallingManager | undefined;
  /** Strictly between the extremes. Default `DEFAULT_TOOL_CALLING_ORDER`. */
  readonly order?: number | undefined;
  /** Model calls a turn. Default 25; then finish reason 'tool_call_limit'. */
  readonly maxRounds?: number | undefined;
  /** Carries the turn's messages from round to round itself. Default true, unless a memory stands further in. */
  readonly internalHistory?: boolean | undefined;
  /** Default `hasToolCalls`. */
  readonly eligible?: ((response: ChatResponse) => boolean) | undefined;
  /** One set of hooks for both modes. */
  readonly beforeRound?: ((round: ToolRound) => ChatClientRequest | Promise<ChatClientRequest>) | undefined;
  readonly afterRound?:
    | ((round: ToolRound, response: ChatClientResponse) => ChatClientResponse | Promise<ChatClientResponse>)
    | undefined;
}

/** The one tool loop, streaming inside. Added to every chain that has no advisor of role 'tool', unless switched off. */
export declare class ToolCallingAdvisor extends BaseAdvisor {
  readonly name: string;
  override readonly role: 'tool';
  constructor(options?: ToolCallingAdvisorOptions);
}
