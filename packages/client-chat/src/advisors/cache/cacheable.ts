import type { ChatClientResponse } from '@vernal/client-chat';
import type { ChatResponse, Generation, Message } from '@vernal/core';

/**
 * The answer, if another asker may be given it: it is whole, it says something, nobody took it back or found it wanting, and no tool had a
 * part in it, for tools act, and what they know changes.
 */
export function cacheableAnswer({ chatResponse, pendingApproval, turn }: ChatClientResponse): ChatResponse | undefined {
  if (chatResponse === undefined || pendingApproval !== undefined || turn.length === 0) return undefined;
  const { results, metadata } = chatResponse;
  if (results.length === 0 || !results.every(isWhole) || turn.some(callsTools)) return undefined;
  return isUnfit(metadata['evaluation']) ? undefined : chatResponse;
}

function isWhole({ output, metadata: { finishReason = 'stop' } }: Generation): boolean {
  return finishReason === 'stop' && output.text.length + output.media.length > 0 && !callsTools(output);
}

function callsTools(message: Message): boolean {
  return message.type === 'assistant' && message.toolCalls.length > 0;
}

/** What `EvaluateAndRepeatAdvisor` says of an answer that it gave up on. */
function isUnfit(evaluation: unknown): boolean {
  return typeof evaluation === 'object' && evaluation !== null && Reflect.get(evaluation, 'pass') === false;
}
