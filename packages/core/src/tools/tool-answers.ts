import { toJsonValue } from '../json/to-json-value.js';
import type { ToolCall, ToolResponse } from '../messages/message.js';
import { convertToolResult } from './convert-tool-result.js';
import type { ToolResult } from './tool-callback.js';

/** The answer of a call that ran. Text and `ToolResult` are typed; whatever else an untyped tool gives is converted. */
export function answerOf(call: ToolCall, result: string | ToolResult): ToolResponse {
  if (typeof result === 'string') return { id: call.id, name: call.name, result };
  if (typeof result !== 'object' || result === null || typeof result.text !== 'string')
    return { id: call.id, name: call.name, result: convertToolResult(result) };
  const { text, media, structured, isError } = result;
  return {
    id: call.id,
    name: call.name,
    result: text,
    ...(media === undefined ? undefined : { media }),
    // An untyped tool may put anything there; it must not cost the other calls of the round their answers.
    ...(structured === undefined ? undefined : { structured: toJsonValue(structured) }),
    ...(isError === undefined ? undefined : { isError }),
  };
}

/** The answer of a call that failed or did not run. */
export function errorAnswer(call: ToolCall, told: string | ToolResult): ToolResponse {
  return { ...answerOf(call, told), isError: typeof told === 'string' ? true : (told.isError ?? true) };
}

export function cancelledAnswer(call: ToolCall): ToolResponse {
  return errorAnswer(call, 'cancelled');
}

export function deniedAnswer(call: ToolCall, reason: string | undefined): ToolResponse {
  return errorAnswer(call, `The call of tool '${call.name}' was denied${reason ? `: ${reason}` : '.'}`);
}

export function unknownToolText(name: string, available: readonly string[]): string {
  const list = available.length === 0 ? 'No tools are available.' : `Available tools: ${available.join(', ')}.`;
  return `Tool '${name}' does not exist. ${list}`;
}
