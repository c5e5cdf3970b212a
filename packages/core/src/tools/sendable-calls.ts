import type { AssistantMessage, ToolCall } from '../messages/message.js';

/**
 * The assistant message as it can go back to any provider, some of which parse arguments themselves: blank arguments become '{}', and
 * text that is not a JSON object is wrapped as `{"unparsedArguments": text}`, so that the model still sees what it wrote. Good
 * arguments stay the model's own text, digit by digit. `accepted`: calls, by position, whose arguments
 * need no second look.
 */
export function sendableMessage(
  message: AssistantMessage,
  calls: readonly ToolCall[],
  accepted: (index: number) => boolean,
): AssistantMessage {
  const toolCalls = calls.map((call, index) => {
    const sendable = sendableArguments(call.arguments, accepted(index));
    return sendable === call.arguments ? call : { ...call, arguments: sendable };
  });
  return toolCalls.every((call, index) => call === message.toolCalls[index]) ? message : { ...message, toolCalls };
}

function sendableArguments(text: string, accepted: boolean): string {
  if (accepted && text.startsWith('{')) return text;
  const bare = text.trim();
  if (bare === '' || bare === 'null') return '{}';
  return isJsonObject(bare) ? text : JSON.stringify({ unparsedArguments: text });
}

function isJsonObject(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
