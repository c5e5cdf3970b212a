import type { AssistantMessage, Message, ToolCall, ToolResponseMessage } from '../messages/message.js';
import { toolResponseMessage } from '../messages/message-factories.js';

/**
 * The messages as a provider takes them: every answer has its call before it and every call its answer behind it, except a call at the
 * end, which is still being executed. An answer without a call is left out; a call that was given up (its process died) is answered as
 * an error, so that the model knows. Nearly always nothing is to be done, and the list itself comes back.
 */
export function sendableHistory(messages: Message[]): Message[] {
  return isSendable(messages) ? messages : mended(messages);
}

function isSendable(messages: readonly Message[]): boolean {
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i];
    if (message?.type === 'tool' || (message?.type === 'assistant' && message.toolCalls.length > 0)) return false;
  }
  return true;
}

function mended(messages: Message[]): Message[] {
  const sendable: Message[] = [];
  let changed = false;
  let open: ToolCall[] = [];
  for (const message of messages) {
    if (message.type === 'tool') {
      const left = unanswered(open, message);
      if (left === undefined) {
        changed = true;
        continue;
      }
      open = left;
    } else {
      if (open.length > 0) sendable.push(givenUp(open));
      changed ||= open.length > 0;
      open = message.type === 'assistant' ? [...message.toolCalls] : [];
    }
    sendable.push(message);
  }
  return changed ? sendable : messages;
}

/** The calls that are open when `answers` came; undefined when it answers something else. */
function unanswered(open: readonly ToolCall[], answers: ToolResponseMessage): ToolCall[] | undefined {
  const left = [...open];
  for (const { id } of answers.responses) {
    const at = left.findIndex((call) => call.id === id);
    if (at === -1) return undefined;
    left.splice(at, 1);
  }
  return answers.responses.length === 0 ? undefined : left;
}

function givenUp(calls: AssistantMessage['toolCalls']): ToolResponseMessage {
  return toolResponseMessage(
    calls.map(({ id, name }) => ({ id, name, result: 'No result: the call was interrupted', isError: true })),
  );
}
