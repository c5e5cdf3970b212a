import type { CallContext } from '../context/call-context.js';
import { ToolLimitError } from '../errors/tool-limit-error.js';
import type { Message, ToolCall, ToolResponse } from '../messages/message.js';
import { assistantMessage, toolResponseMessage } from '../messages/message-factories.js';
import type { ChatOptions, ToolChoice } from '../options/chat-options.js';
import { Prompt } from '../prompt/prompt.js';
import { type ChatResponse, chatResponse } from '../responses/chat-response.js';
import type { ApprovalDecisions, PendingApproval } from './approval.js';
import { sendableMessage } from './sendable-calls.js';
import { errorAnswer } from './tool-answers.js';
import type { ToolCallingManager, ToolExecutionResult } from './tool-calling-manager.js';

/** How a turn goes on after a round of tool calls. `messages` are a history in which every call is answered. */
export type ToolRoundOutcome =
  /** Ask the model again. A forced tool choice was obeyed and is 'auto' from here on, else the model could never stop. */
  | { readonly type: 'continue'; readonly prompt: Prompt }
  /** The turn is over: finish reason 'return_direct', one generation a tool, or 'tool_call_limit'. */
  | { readonly type: 'finish'; readonly response: ChatResponse; readonly messages: readonly Message[] }
  /** Calls wait for a decision: `manager.suspend(result)`. */
  | { readonly type: 'pending'; readonly result: ToolExecutionResult }
  /** The signal was aborted meanwhile; open calls are answered 'cancelled'. */
  | { readonly type: 'cancelled'; readonly messages: readonly Message[] };

/**
 * One round of a tool loop, for those who write one: runs the calls and says how the turn goes on. `prompt.messages` hold the whole
 * turn, since limits are counted from it. A limit of setting 'throw' is thrown, any other ends the turn.
 */
export async function runToolRound(
  manager: ToolCallingManager,
  prompt: Prompt,
  response: ChatResponse,
  context?: CallContext,
): Promise<ToolRoundOutcome> {
  try {
    return outcome(await manager.executeToolCalls(prompt, response, context), prompt.options, context);
  } catch (error) {
    if (!ToolLimitError.is(error) || error.details['onExceeded'] === 'throw') throw error;
    return overLimit(prompt, response, error);
  }
}

/** The same for a turn that waited for a decision. Errors as `ToolCallingManager.resume`. */
export async function resumeToolRound(
  manager: ToolCallingManager,
  pending: PendingApproval,
  decisions: ApprovalDecisions,
  options: ChatOptions,
  context?: CallContext,
): Promise<ToolRoundOutcome> {
  return outcome(await manager.resume(pending, decisions, options, context), options, context);
}

/** The answer of a turn that ran into a limit. */
export function limitResponse(text: string, partial: readonly ToolResponse[] = []): ChatResponse {
  return chatResponse([{ text, metadata: { finishReason: 'tool_call_limit', partialToolResponses: partial } }]);
}

function outcome(
  result: ToolExecutionResult,
  options: ChatOptions,
  context: CallContext | undefined,
): ToolRoundOutcome {
  const messages = result.conversationHistory;
  if (result.pendingCalls !== undefined) return { type: 'pending', result };
  if (context?.signal?.aborted) return { type: 'cancelled', messages };
  if (result.returnDirect) return { type: 'finish', response: directResponse(messages), messages };
  return { type: 'continue', prompt: new Prompt(messages, afterChoice(options)) };
}

function afterChoice(options: ChatOptions): ChatOptions {
  const choice: ToolChoice | null | undefined = options.toolChoice;
  const forced = choice === 'required' || (typeof choice === 'object' && choice !== null);
  return forced ? { ...options, toolChoice: 'auto' } : options;
}

function directResponse(messages: readonly Message[]): ChatResponse {
  const last = messages.at(-1);
  const responses = last?.type === 'tool' ? last.responses : [];
  return chatResponse(
    responses.map(({ id, name, result, media, structured }) => ({
      output: assistantMessage({ text: result, media }),
      metadata: {
        finishReason: 'return_direct',
        toolId: id,
        toolName: name,
        ...(structured === undefined ? undefined : { structured }),
      },
    })),
  );
}

function overLimit(prompt: Prompt, response: ChatResponse, error: ToolLimitError): ToolRoundOutcome {
  const output = response.results.find((result) => result.output.toolCalls.length > 0)?.output ?? assistantMessage();
  const { partial, message } = error;
  const answered = (call: ToolCall): ToolResponse =>
    partial.find(({ id }) => id === call.id) ?? errorAnswer(call, message);
  const assistant = sendableMessage(output, output.toolCalls, () => false);
  return {
    type: 'finish',
    response: limitResponse(message, partial),
    messages: [...prompt.messages, assistant, toolResponseMessage(output.toolCalls.map(answered))],
  };
}
