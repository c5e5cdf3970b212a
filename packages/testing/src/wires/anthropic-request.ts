// Requests as on https://platform.claude.com/docs/en/api/messages; `output_config` as in …/en/build-with-claude/structured-outputs.
import type { Media, Message, ReasoningPart, ToolCall, ToolResponse } from '@vernal/core';
import { assistantMessage, media, systemMessage, toolResponseMessage, userMessage } from '@vernal/core';
import type { WireRequest } from './chat-model-wire.js';
import type { Fields } from './json-reading.js';
import { fields, items, present, text, without } from './json-reading.js';

const RENAMED: Readonly<Record<string, string>> = {
  top_p: 'topP',
  top_k: 'topK',
  max_tokens: 'maxTokens',
  stop_sequences: 'stopSequences',
};

/** Content is text or a list of blocks. */
function blocksOf(content: unknown): readonly Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : items(content).map(fields);
}

function textOf(content: unknown): string {
  return blocksOf(content)
    .map((block) => text(block['text']))
    .join('');
}

function mediaOf(block: Fields): Media[] {
  const source = fields(block['source']);
  const mimeType = text(source['media_type']);
  if (source['type'] === 'base64')
    return [media(mimeType, { type: 'base64', base64: text(source['data']) }, { name: 'media' })];
  return source['type'] === 'url' ? [media(mimeType || 'image/*', text(source['url']), { name: 'media' })] : [];
}

function userMessages(content: unknown): Message[] {
  const blocks = blocksOf(content);
  const responses: ToolResponse[] = blocks
    .filter((block) => block['type'] === 'tool_result')
    .map((block) => {
      const response = { id: text(block['tool_use_id']), name: '', result: textOf(block['content']) };
      return block['is_error'] === true ? { ...response, isError: true } : response;
    });
  const messages: Message[] = responses.length === 0 ? [] : [toolResponseMessage(responses)];
  const others = blocks.filter((block) => block['type'] !== 'tool_result');
  if (others.length > 0) messages.push(userMessage(textOf(others), { media: others.flatMap(mediaOf) }));
  return messages;
}

function assistantOf(content: unknown): Message {
  const toolCalls: ToolCall[] = [];
  const reasoning: ReasoningPart[] = [];
  for (const block of blocksOf(content)) {
    if (block['type'] === 'tool_use') {
      toolCalls.push({ id: text(block['id']), name: text(block['name']), arguments: JSON.stringify(block['input']) });
    } else if (block['type'] === 'thinking') {
      reasoning.push({ text: text(block['thinking']), signature: text(block['signature']) });
    } else if (block['type'] === 'redacted_thinking') reasoning.push({ redactedData: text(block['data']) });
  }
  return assistantMessage({ text: textOf(content), toolCalls, reasoning });
}

function messagesOf(request: Fields): Message[] {
  const system = textOf(request['system']);
  const messages: Message[] = system === '' ? [] : [systemMessage(system)];
  for (const entry of items(request['messages'])) {
    const { role, content } = fields(entry);
    if (role === 'assistant') messages.push(assistantOf(content));
    else messages.push(...userMessages(content));
  }
  return messages;
}

function toolChoiceOf(value: unknown): unknown {
  const { type, name } = fields(value);
  if (type === 'tool') return { tool: name };
  return type === 'any' ? 'required' : type;
}

/** The body of a request to `POST /v1/messages` in neutral terms. */
export function anthropicRequest(body: unknown): WireRequest {
  const request = fields(body);
  const options: Record<string, unknown> = {};
  const rest = present(without(request, ['messages', 'system', 'tools', 'tool_choice']));
  for (const [name, value] of Object.entries(rest)) options[RENAMED[name] ?? name] = value;
  if (request['tool_choice'] !== undefined) options['toolChoice'] = toolChoiceOf(request['tool_choice']);
  const schema =
    fields(fields(request['output_config'])['format'])['schema'] ?? fields(request['output_format'])['schema'];
  if (schema !== undefined) options['outputSchema'] = schema;
  return {
    messages: messagesOf(request),
    options,
    tools: items(request['tools']).map((tool) => text(fields(tool)['name'])),
  };
}
