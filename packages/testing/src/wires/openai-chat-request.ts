import type { Media, Message, ToolCall } from '@vernal/core';
import { assistantMessage, media, systemMessage, toolResponseMessage, userMessage } from '@vernal/core';
import type { WireRequest } from './chat-model-wire.js';
import type { Fields } from './json-reading.js';
import { fields, items, present, text, without } from './json-reading.js';

const RENAMED: Readonly<Record<string, string>> = {
  top_p: 'topP',
  max_tokens: 'maxTokens',
  max_completion_tokens: 'maxTokens',
  stop: 'stopSequences',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
};

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return items(content)
    .map((part) => text(fields(part)['text']))
    .join('');
}

function mediaOf(content: unknown): Media[] {
  return items(content).flatMap((part) => {
    const url = text(fields(fields(part)['image_url'])['url']);
    if (url === '') return [];
    const mimeType = /^data:([^;,]+)/.exec(url)?.[1] ?? 'image/*';
    return [media(mimeType, url, { name: 'image' })];
  });
}

function toolCallOf(value: unknown): ToolCall {
  const call = fields(value);
  const called = fields(call['function']);
  return { id: text(call['id']), name: text(called['name']), arguments: text(called['arguments']) };
}

function messagesOf(list: readonly unknown[]): Message[] {
  const messages: Message[] = [];
  for (const entry of list) {
    const message = fields(entry);
    const content = message['content'];
    const role = message['role'];
    if (role === 'system' || role === 'developer') messages.push(systemMessage(textOf(content)));
    else if (role === 'user') messages.push(userMessage(textOf(content), { media: mediaOf(content) }));
    else if (role === 'assistant') {
      const reasoning = text(message['reasoning_content']);
      messages.push(
        assistantMessage({
          text: textOf(content),
          toolCalls: items(message['tool_calls']).map(toolCallOf),
          reasoning: reasoning === '' ? [] : [{ text: reasoning }],
        }),
      );
    } else if (role === 'tool') {
      // OpenAI has one message a result; those of one round stand side by side.
      const response = { id: text(message['tool_call_id']), name: text(message['name']), result: textOf(content) };
      const last = messages.at(-1);
      if (last?.type === 'tool') messages[messages.length - 1] = toolResponseMessage([...last.responses, response]);
      else messages.push(toolResponseMessage([response]));
    }
  }
  return messages;
}

function toolChoiceOf(value: unknown): unknown {
  const name = text(fields(fields(value)['function'])['name']);
  return name === '' ? value : { tool: name };
}

/**
 * The body of a request to `POST /chat/completions` in neutral terms.
 * Source: https://platform.openai.com/docs/api-reference/chat/create
 */
export function openAiChatRequest(body: unknown): WireRequest {
  const request = fields(body);
  const options: Record<string, unknown> = {};
  const rest: Fields = present(without(request, ['messages', 'tools', 'tool_choice', 'response_format']));
  for (const [name, value] of Object.entries(rest)) options[RENAMED[name] ?? name] = value;
  if (typeof options['stopSequences'] === 'string') options['stopSequences'] = [options['stopSequences']];
  if (request['tool_choice'] !== undefined) options['toolChoice'] = toolChoiceOf(request['tool_choice']);
  const schema = fields(fields(request['response_format'])['json_schema'])['schema'];
  if (schema !== undefined) options['outputSchema'] = schema;
  else if (request['response_format'] !== undefined) options['response_format'] = request['response_format'];
  return {
    messages: messagesOf(items(request['messages'])),
    options,
    tools: items(request['tools']).map((tool) => text(fields(fields(tool)['function'])['name'])),
  };
}
