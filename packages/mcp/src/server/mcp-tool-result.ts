import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { AnySchemaWithJson, Media, ToolResult } from '@vernal/core';
import {
  convertToolResult,
  isJsonValue,
  isRecord,
  media,
  mediaBase64,
  ToolExecutionError,
  toJsonValue,
} from '@vernal/core';
import { issuesText, readWithSchema } from './schema-value.js';

/** Carries a `CallToolResult` through a tool's answer unchanged; registered, so that two copies of the package agree. */
const MCP_RESULT: unique symbol = Symbol.for('vernal.mcp.result');

interface CarryingResult extends ToolResult {
  readonly [MCP_RESULT]?: CallToolResult;
}

const CONTENT_TYPES: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** A `CallToolResult` is known by its list of content blocks. */
export function isToolContent(value: unknown): value is CallToolResult {
  if (!isRecord(value) || !Array.isArray(value['content'])) return false;
  if (value['content'].length === 0) return 'structuredContent' in value || 'isError' in value;
  return value['content'].every((block: unknown) => isRecord(block) && CONTENT_TYPES.has(block['type']));
}

/** What an MCP tool gave, as an answer that any caller of tools understands. */
export function toolResultOf(result: unknown): string | ToolResult {
  if (isToolContent(result)) return carry(result);
  return convertToolResult(result);
}

/** Held to the schema: the answer is what it makes of it. Throws `ToolExecutionError` for what does not fit. */
export async function validatedOutput(
  output: AnySchemaWithJson,
  result: unknown,
  toolName: string,
): Promise<ToolResult> {
  if (isToolContent(result)) return carry(result);
  const read = await readWithSchema(output, result);
  if (read.issues !== undefined)
    throw new ToolExecutionError(
      `The result of tool '${toolName}' does not fit its output schema: ${issuesText(read.issues)}`,
      {
        toolName,
        subject: 'output',
      },
    );
  if (isJsonValue(read.value)) return { text: JSON.stringify(read.value), structured: read.value };
  const [structured = null] = Object.values(toJsonValue([read.value]) ?? []);
  return { text: convertToolResult(read.value), structured };
}

/** A tool's answer as the protocol says it. `mimeType`: the text is base64 of that type. */
export function callToolResult(answer: string | ToolResult, mimeType?: string): CallToolResult {
  const result: CarryingResult = typeof answer === 'string' ? { text: answer } : answer;
  const carried = result[MCP_RESULT];
  if (carried !== undefined) return carried;
  if (mimeType !== undefined && result.isError !== true) {
    const block = mediaContent(media(mimeType, { type: 'base64', base64: result.text }));
    return { content: [{ ...block, annotations: { audience: ['assistant'] } }] };
  }
  const content: ContentBlock[] = (result.media ?? []).map(mediaContent);
  if (result.text !== '' || content.length === 0) content.unshift({ type: 'text', text: result.text });
  return {
    content,
    ...(result.structured === undefined ? undefined : { structuredContent: result.structured }),
    ...(result.isError === true ? { isError: true } : undefined),
  };
}

/** What only a URL points at stays with its owner: the client is given the link. */
export function mediaContent(item: Media): ContentBlock {
  const { mimeType, source } = item;
  const name = item.name ?? item.id ?? mimeType;
  if (source.type === 'url') return { type: 'resource_link', uri: source.url, name, mimeType };
  const data = mediaBase64(item);
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  return { type: 'resource', resource: { uri: `media:///${encodeURIComponent(name)}`, mimeType, blob: data } };
}

function carry(result: CallToolResult): CarryingResult {
  const texts = result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const items = result.content.flatMap((block) =>
    block.type === 'image' || block.type === 'audio'
      ? [media(block.mimeType, { type: 'base64', base64: block.data })]
      : [],
  );
  return {
    text: texts.join('\n'),
    ...(items.length === 0 ? undefined : { media: items }),
    ...(isJsonValue(result.structuredContent) ? { structured: result.structuredContent } : undefined),
    ...(result.isError === true ? { isError: true } : undefined),
    [MCP_RESULT]: result,
  };
}
