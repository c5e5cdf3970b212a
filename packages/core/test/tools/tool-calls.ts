import {
  assistantMessage,
  type CallContext,
  type ChatOptions,
  type ChatResponse,
  chatResponse,
  Prompt,
  type ToolCall,
  type ToolCallback,
  type ToolCallingManager,
  type ToolExecutionResult,
  type ToolResponse,
} from '@vernal/core';

export function calling(id: string, name: string, args = '{}'): ToolCall {
  return { id, name, arguments: args };
}

export function asking(...toolCalls: readonly ToolCall[]): ChatResponse {
  return chatResponse([{ output: assistantMessage({ toolCalls }) }]);
}

/** One round of a conversation that is a single question. */
export function runRound(
  manager: ToolCallingManager,
  tools: readonly ToolCallback[],
  calls: readonly ToolCall[],
  context?: CallContext,
  options?: ChatOptions,
): Promise<ToolExecutionResult> {
  return manager.executeToolCalls(new Prompt('question', { tools, ...options }), asking(...calls), context);
}

export function responsesOf(result: ToolExecutionResult): readonly ToolResponse[] {
  const last = result.conversationHistory.at(-1);
  return last?.type === 'tool' ? last.responses : [];
}

export async function answer(
  manager: ToolCallingManager,
  tools: readonly ToolCallback[],
  calls: readonly ToolCall[],
  context?: CallContext,
): Promise<readonly ToolResponse[]> {
  return responsesOf(await runRound(manager, tools, calls, context));
}
