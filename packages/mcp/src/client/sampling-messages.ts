import type { SamplingMessage } from '@modelcontextprotocol/client';
import {
  assistantMessage,
  type Media,
  type Message,
  systemMessage,
  type ToolCall,
  type ToolResponse,
  toolResponseMessage,
  userMessage,
} from '@vernal/core';
import type { McpSamplingRequest } from './protocol-types.js';
import { contentOf, toolResultOf } from './tool-content.js';

type Block = Extract<SamplingMessage['content'], { readonly type: string }>;

interface Parts {
  readonly texts: string[];
  readonly media: Media[];
  readonly calls: ToolCall[];
  readonly answers: Omit<ToolResponse, 'name'>[];
}

/** The conversation that a server sends as messages for a model. */
export function samplingMessages({ systemPrompt, messages }: McpSamplingRequest): Message[] {
  const found: Message[] = systemPrompt === undefined ? [] : [systemMessage(systemPrompt)];
  /** Answers of tools name the call only; models want the tool's name too. */
  const names = new Map<string, string>();
  for (const { role, content } of messages) {
    const { texts, media, calls, answers } = partsOf(Array.isArray(content) ? content : [content]);
    for (const { id, name } of calls) names.set(id, name);
    const text = texts.join('\n');
    if (role === 'assistant') found.push(assistantMessage({ text, media, toolCalls: calls }));
    else {
      if (answers.length > 0)
        found.push(toolResponseMessage(answers.map((answer) => ({ ...answer, name: names.get(answer.id) ?? 'tool' }))));
      if (text !== '' || media.length > 0 || answers.length === 0) found.push(userMessage(text, { media }));
    }
  }
  return found;
}

function partsOf(blocks: readonly Block[]): Parts {
  const parts: Parts = { texts: [], media: [], calls: [], answers: [] };
  for (const block of blocks) {
    if (block.type === 'tool_use')
      parts.calls.push({ id: block.id, name: block.name, arguments: JSON.stringify(block.input) });
    else if (block.type === 'tool_result') {
      const { toolUseId, content, structuredContent, isError } = block;
      const result = toolResultOf({ content, structuredContent, isError }, Number.POSITIVE_INFINITY);
      const { text, ...rest } = result;
      parts.answers.push({ id: toolUseId, result: text, ...rest });
    } else {
      const { text, media } = contentOf(block);
      if (text !== undefined) parts.texts.push(text);
      if (media !== undefined) parts.media.push(media);
    }
  }
  return parts;
}
