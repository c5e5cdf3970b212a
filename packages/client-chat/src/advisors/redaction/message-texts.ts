import type { JsonValue, Message, ToolCall, ToolResponse } from '@vernal/core';

export type TextChange = (text: string) => string;

/**
 * A message with its texts changed: what it says, the arguments of tool calls, what tools answered. Itself when nothing changed. Reasoning
 * stays as it is, for providers sign it; media are not looked into.
 */
export function withTexts(message: Message, change: TextChange): Message {
  switch (message.type) {
    case 'tool':
      return withPart(
        message,
        'responses',
        changedList(message.responses, (response) => withResponseTexts(response, change)),
      );
    case 'assistant':
      return withPart(
        withPart(message, 'text', change(message.text)),
        'toolCalls',
        changedList(message.toolCalls, (call) => withArguments(call, change)),
      );
    default:
      return withPart(message, 'text', change(message.text));
  }
}

/** The strings and numbers of a JSON text, changed one by one; the rest of it stays as it was written. Broken JSON is changed, too. */
export function changedJson(json: string, change: TextChange): string {
  return json.replace(TOKENS, (token) => {
    const value = token.startsWith('"') ? stringOf(token) : token;
    const changed = change(value);
    return changed === value ? token : JSON.stringify(changed);
  });
}

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

function stringOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch {
    return token.slice(1, -1);
  }
}

function withArguments(call: ToolCall, change: TextChange): ToolCall {
  return withPart(call, 'arguments', changedJson(call.arguments, change));
}

function withResponseTexts(response: ToolResponse, change: TextChange): ToolResponse {
  const { result, structured } = response;
  const changed = withPart(response, 'result', isJson(result) ? changedJson(result, change) : change(result));
  if (structured === undefined) return changed;
  const before = JSON.stringify(structured);
  const after = changedJson(before, change);
  if (before === after) return changed;
  const parsed: JsonValue = JSON.parse(after);
  return { ...changed, structured: parsed };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function withPart<T, K extends keyof T>(whole: T, key: K, part: T[K]): T {
  return whole[key] === part ? whole : { ...whole, [key]: part };
}

function changedList<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = list.map(change);
  return changed.every((item, i) => item === list[i]) ? list : changed;
}
