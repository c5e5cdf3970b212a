import type { AssistantMessage, Message, ToolCall, ToolResponse } from '@vernal/core';
import { assistantMessage, toolResponseMessage } from '@vernal/core';

/**
 * The same messages with an answer to every tool call: one that was never answered (its process died, or someone else wrote the
 * history) is answered 'cancelled', for no provider takes a call without an answer.
 */
export function closeOpenCalls(messages: readonly Message[]): readonly Message[] {
  let closed: Message[] | undefined;
  for (const [i, message] of messages.entries()) {
    closed?.push(message);
    if (message.type !== 'assistant' || message.toolCalls.length === 0) continue;
    const open = unanswered(message.toolCalls, messages, i + 1);
    if (open.length === 0) continue;
    closed ??= messages.slice(0, i + 1);
    closed.push(toolResponseMessage(open.map(cancelled)));
  }
  return closed ?? messages;
}

function unanswered(calls: readonly ToolCall[], messages: readonly Message[], from: number): readonly ToolCall[] {
  const answered = new Set<string>();
  for (let i = from; messages[i]?.type === 'tool'; i++) {
    const message = messages[i];
    if (message?.type === 'tool') for (const { id } of message.responses) answered.add(id);
  }
  return calls.filter(({ id }) => !answered.has(id));
}

function cancelled({ id, name }: ToolCall): ToolResponse {
  return { id, name, result: 'cancelled', isError: true };
}

/** Closes a turn that failed, was aborted or left, with what had been said. */
export function cancelledMessage(text: string): AssistantMessage {
  return assistantMessage({ text, metadata: { cancelled: true } });
}
