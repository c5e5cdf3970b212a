import type { CallContext } from '../context/call-context.js';
import type { ToolExecutionError } from '../errors/tool-execution-error.js';
import type { Logger } from '../logging/logger.js';
import type { Message, ToolCall } from '../messages/message.js';
import type { ObservationRegistry } from '../observation/observation.js';
import type { ChatOptions } from '../options/chat-options.js';
import type { Prompt } from '../prompt/prompt.js';
import type { ChatResponse } from '../responses/chat-response.js';
import type { ApprovalDecisions, ApproveTool, PendingApproval } from './approval.js';
import type { ToolDefinition, ToolResult } from './tool-callback.js';
import type { ToolLimits } from './tool-limits.js';
import type { ToolCallbackResolver } from './tool-resolver.js';

/** Turns a failure into what the model reads. Throw to give it to the caller. Default: the error's public message, never a stack. */
export type ToolExecutionExceptionProcessor = (
  error: ToolExecutionError,
) => string | ToolResult | Promise<string | ToolResult>;

export interface ToolCallingManagerOptions {
  readonly resolver?: ToolCallbackResolver | undefined;
  readonly exceptionProcessor?: ToolExecutionExceptionProcessor | undefined;
  /** Default false: failures go to the model. */
  readonly throwOnError?: boolean | undefined;
  readonly limits?: ToolLimits | undefined;
  readonly approve?: ApproveTool | undefined;
  /** Signs and checks `PendingApproval`; needed as soon as `approve` may defer. At least 32 bytes. */
  readonly approvalKey?: Uint8Array | undefined;
  /** Milliseconds a pending approval stays valid. Default 86,400,000. */
  readonly approvalTtlMs?: number | undefined;
  /** Default true. */
  readonly parallel?: boolean | undefined;
  /** Default 8. */
  readonly maxConcurrency?: number | undefined;
  /** Milliseconds a tool may take. Default none. */
  readonly timeoutMs?: number | undefined;
  readonly observationRegistry?: ObservationRegistry | undefined;
  readonly logger?: Logger | undefined;
}

export interface ToolExecutionResult {
  /** The prompt's messages, the assistant message, one tool message. When `pendingCalls` is set the tool message is partial. */
  readonly conversationHistory: readonly Message[];
  readonly returnDirect: boolean;
  /** Set when calls were deferred. */
  readonly pendingCalls?: readonly ToolCall[];
}

export declare class ToolCallingManager {
  constructor(options?: ToolCallingManagerOptions);
  /** Stable order, for prompt caching. Two tools of one name: `invalid_argument`. */
  resolveToolDefinitions(options: ChatOptions): ToolDefinition[];
  /**
   * Runs the calls of the first generation that has any; answers stand in call order. Bad JSON, bad arguments, unknown tools,
   * throws and time-outs become answers, or errors by `throwOnError`. No calls: `invalid_state`. On abort the open calls are answered 'cancelled'.
   */
  executeToolCalls(prompt: Prompt, response: ChatResponse, context?: CallContext): Promise<ToolExecutionResult>;
  /** Checks the signature and age (`approval_invalid`), then runs what was approved and answers what was denied. */
  resume(
    pending: PendingApproval,
    decisions: ApprovalDecisions,
    options: ChatOptions,
    context?: CallContext,
  ): Promise<ToolExecutionResult>;
}
