import type { ContentBlock } from '@modelcontextprotocol/client';
import { convertToolResult, type Media, media, type ToolResult, toJsonValue } from '@vernal/core';
import { cutText } from './cut-text.js';
import type { McpCallToolResult } from './protocol-types.js';

/**
 * What the model gets of a tool's answer: text as it is, images and audio as media, a resource that came along as text or media, a link as
 * a line with its address, structured content beside it (and as text where there is no other).
 */
export function toolResultOf(result: McpCallToolResult, maxTextLength: number): ToolResult {
  const texts: string[] = [];
  const found: Media[] = [];
  for (const block of result.content ?? []) {
    const { text, media } = contentOf(block);
    if (text !== undefined) texts.push(text);
    if (media !== undefined) found.push(media);
  }
  const { structuredContent, isError } = result;
  if (texts.length === 0 && structuredContent !== undefined) texts.push(convertToolResult(structuredContent));
  const text = texts.join('\n');
  return {
    text: shortened(text === '' && found.length === 0 ? (isError ? 'The tool failed.' : 'Done') : text, maxTextLength),
    ...(found.length === 0 ? undefined : { media: found }),
    ...(structuredContent === undefined ? undefined : { structured: toJsonValue(structuredContent) }),
    ...(isError ? { isError: true } : undefined),
  };
}

/** One block of content as text or media. Base64 that is none becomes a word about it. */
export function contentOf(block: ContentBlock): { readonly text?: string; readonly media?: Media } {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'image':
    case 'audio':
      return base64Content(block.mimeType, block.data, undefined);
    case 'resource_link':
      return { text: `[${block.title ?? block.name}](${block.uri})` };
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return { text: resource.text };
      return base64Content(resource.mimeType ?? 'application/octet-stream', resource.blob, resource.uri);
    }
  }
}

function base64Content(
  mimeType: string,
  base64: string,
  id: string | undefined,
): { readonly text?: string; readonly media?: Media } {
  try {
    return { media: media(mimeType, { type: 'base64', base64 }, { id }) };
  } catch {
    return { text: '[content that cannot be read]' };
  }
}

function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = cutText(text, maxLength);
  return `${cut}\n[${text.length - cut.length} more characters left out]`;
}
