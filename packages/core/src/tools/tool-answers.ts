import { toJsonValue } from '../json/to-json-value.js';
import type { Media } from '../media/media.js';
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
    // An untyped tool may put anything in these; it must not cost the other calls of the round their answers.
    ...(Array.isArray(media) ? { media: media.filter(isMedia) } : undefined),
    ...(structured === undefined ? undefined : { structured: toJsonValue(structured) }),
    ...(isError === undefined || isError === null ? undefined : { isError: Boolean(isError) }),
  };
}

function isMedia(item: unknown): item is Media {
  return typeof item === 'object' && item !== null && 'mimeType' in item && 'source' in item;
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
