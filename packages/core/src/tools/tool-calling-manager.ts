import type { CallContext } from '../context/call-context.js';
import type { ToolExecutionError } from '../errors/tool-execution-error.js';
import { VernalError } from '../errors/vernal-error.js';
import type { JsonValue } from '../json/json-value.js';
import type { Logger } from '../logging/logger.js';
import type { Message, ToolCall } from '../messages/message.js';
import type { ObservationRegistry } from '../observation/observation.js';
import type { ChatOptions } from '../options/chat-options.js';
import type { Prompt } from '../prompt/prompt.js';
import type { ChatResponse } from '../responses/chat-response.js';
import type { ApprovalDecisions, ApproveTool, PendingApproval } from './approval.js';
import { roundResult, runSteps } from './execute-tool-round.js';
import { resolveTools, resolveToolsNow } from './find-tools.js';
import { type ManagerSettings, managerSettings } from './manager-settings.js';
import { createPendingApproval } from './pending-approval.js';
import { planToolCalls } from './plan-tool-calls.js';
import { resumePending } from './resume-pending.js';
import type { ToolCallback, ToolDefinition, ToolResult } from './tool-callback.js';
import type { ToolLimits } from './tool-limits.js';
import type { ToolCallbackResolver } from './tool-resolver.js';
import type { ToolRound } from './tool-round-state.js';

/**
 * Turns a failure into what the model reads; marked as an error unless the result says otherwise. Throw to give it to the caller.
 * Default: the error's message, never a stack. That message is public: for errors of foreign code, whose own message may hold
 * internals, it only names the tool and the kind of error; `error.cause` is what was thrown.
 *
 * @example
 * new ToolCallingManager({ exceptionProcessor: ({ message, cause }) => (cause instanceof Error ? cause.message : message) });
 */
export type ToolExecutionExceptionProcessor = (
  error: ToolExecutionError,
) => string | ToolResult | Promise<string | ToolResult>;

/** How tools are found, run, limited and approved. All may be left out. */
export interface ToolCallingManagerOptions {
  /** Finds the tools that a request names in `toolNames`. Default none. */
  readonly resolver?: ToolCallbackResolver | undefined;
  readonly exceptionProcessor?: ToolExecutionExceptionProcessor | undefined;
  /**
   * Default false: failures go to the model. True: the first failure of a round, or `tool_not_found`, goes to the caller, and the
   * other calls of the round are aborted. Nothing of the round is in the history then.
   */
  readonly throwOnError?: boolean | undefined;
  /** Default 40 calls a tool and 150 in all, a turn. */
  readonly limits?: ToolLimits | undefined;
  readonly approve?: ApproveTool | undefined;
  /** Signs and checks `PendingApproval`; needed as soon as `approve` may defer. At least 32 bytes. */
  readonly approvalKey?: Uint8Array | undefined;
  /** Milliseconds a pending approval stays valid. Default 86,400,000; Infinity: for ever. */
  readonly approvalTtlMs?: number | undefined;
  /** Default true. */
  readonly parallel?: boolean | undefined;
  /** Default 8. */
  readonly maxConcurrency?: number | undefined;
  /** Milliseconds a tool may take. Default none. */
  readonly timeoutMs?: number | undefined;
  /** Default: none. */
  readonly observationRegistry?: ObservationRegistry | undefined;
  /** Default `noopLogger`. Gets names, ids and codes, never contents. */
  readonly logger?: Logger | undefined;
}

/** What a round of tools leaves behind. Source: `ToolExecutionResult` of spring-ai-model. */
export interface ToolExecutionResult {
  /**
   * The prompt's messages, the assistant message, one tool message. When `pendingCalls` is set the tool message is partial, or
   * missing when nothing was answered yet. The assistant message is sendable again: blank arguments are '{}', text that is not a
   * JSON object is wrapped, replaced arguments are those that ran; anything else is the model's own text.
   */
  readonly conversationHistory: readonly Message[];
  /** True when every tool of the round is `returnDirect` and none failed: an error is for the model to read. */
  readonly returnDirect: boolean;
  /** Set when calls were deferred. */
  readonly pendingCalls?: readonly ToolCall[];
}

const NO_VALUES: Readonly<Record<string, unknown>> = Object.freeze({});

/** Outside of the class, so that its type shows no private state and two copies of the package agree on it. */
const settingsOf = new WeakMap<object, ManagerSettings>();

/**
 * Runs the tool calls of a response, for those who drive the loop themselves; `withTools` and `ToolCallingAdvisor` drive it for you.
 * Has no state between calls: one manager serves all requests. Throws `invalid_argument` for options out of range.
 * Source: `DefaultToolCallingManager` of spring-ai-model.
 *
 * @example
 * const manager = new ToolCallingManager({ timeoutMs: 10_000 });
 * let prompt = new Prompt('Weather in Delft?', { tools: [weather] });
 * let response = await model.call(prompt);
 * while (hasToolCalls(response)) {
 *   const round = await manager.executeToolCalls(prompt, response);
 *   if (round.returnDirect) break;
 *   prompt = prompt.withMessages(round.conversationHistory);
 *   response = await model.call(prompt);
 * }
 */
export class ToolCallingManager {
  constructor(options: ToolCallingManagerOptions = {}) {
    settingsOf.set(this, managerSettings(options));
  }

  /**
   * Stable order, for prompt caching: as given, then those of `toolNames`. Two tools of one name: `invalid_argument`. A name that
   * the resolver does not know: `tool_not_found`. A resolver that answers with promises: use `resolveTools`.
   */
  resolveToolDefinitions(options: ChatOptions): ToolDefinition[] {
    return resolveToolsNow(settings(this), options).map(({ definition }) => definition);
  }

  /** The tools themselves, in the same order and with the same errors; what a loop puts into `options.tools` for the model. */
  resolveTools(options: ChatOptions): Promise<ToolCallback[]> {
    return resolveTools(settings(this), options);
  }

  /**
   * Runs the calls of the first generation that has any; answers stand in call order. Bad JSON, bad arguments, unknown tools,
   * throws and time-outs become answers, or errors by `throwOnError`. No calls: `invalid_state`. On abort the open calls are answered
   * 'cancelled' and the result is given, so that the history can be kept: look at the signal before the model is asked again.
   * Over a limit: `ToolLimitError`, whose `details.onExceeded` is the manager's setting.
   */
  async executeToolCalls(prompt: Prompt, response: ChatResponse, context?: CallContext): Promise<ToolExecutionResult> {
    const round = roundOf(settings(this), prompt, response, context);
    const planned = planToolCalls(round);
    const plan = planned instanceof Promise ? await planned : planned;
    return roundResult(round, plan, await runSteps(round, plan.steps), prompt.messages);
  }

  /**
   * Makes the signed data of a round whose calls were deferred, to be kept until someone decides. `context` is handed back with it
   * and signed too. Without deferred calls: `invalid_state`; without `approvalKey`: `invalid_argument`.
   */
  suspend(
    result: ToolExecutionResult,
    options: { readonly context?: Readonly<Record<string, JsonValue>> | undefined } = {},
  ): Promise<PendingApproval> {
    return createPendingApproval(settings(this), result, options.context);
  }

  /**
   * Checks the signature and age (`approval_invalid`), then runs what was approved and answers what was denied. Calls without a
   * decision stay in `pendingCalls`. A decision for a call that does not wait: `invalid_argument`. Tools are looked up in `options`.
   */
  resume(
    pending: PendingApproval,
    decisions: ApprovalDecisions,
    options: ChatOptions,
    context?: CallContext,
  ): Promise<ToolExecutionResult> {
    return resumePending(settings(this), pending, decisions, options, context);
  }
}

function roundOf(
  settings: ManagerSettings,
  { messages, options }: Prompt,
  response: ChatResponse,
  context: CallContext | undefined,
): ToolRound {
  const assistant = response.results.find(({ output }) => output.toolCalls.length > 0)?.output;
  if (assistant === undefined)
    throw new VernalError('The response holds no tool calls; ask hasToolCalls(response) first, and fold chunks', {
      code: 'invalid_state',
      subject: 'response',
    });
  // A copy that no tool can change: one object would be shared by all tools, and by all requests of a client.
  const values = options.toolContext == null ? NO_VALUES : Object.freeze({ ...options.toolContext });
  return { settings, options, context, values, messages: [...messages, assistant], assistant };
}

function settings(manager: ToolCallingManager): ManagerSettings {
  const found = settingsOf.get(manager);
  if (found === undefined)
    throw new VernalError('This ToolCallingManager was not made by its constructor; a proxy or a copy does not work', {
      code: 'invalid_state',
      subject: 'manager',
    });
  return found;
}
