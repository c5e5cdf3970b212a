import type { Message, ToolCall } from '@vernal/core';
import { assistantMessage, media, systemMessage, toolResponseMessage, userMessage } from '@vernal/core';
import type { WireRequest } from './chat-model-wire.js';
import type { Fields } from './json-reading.js';
import { fields, items, present, text, without } from './json-reading.js';

const RENAMED: Readonly<Record<string, string>> = {
  top_p: 'topP',
  top_k: 'topK',
  num_predict: 'maxTokens',
  stop: 'stopSequences',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
};

function toolCallOf(value: unknown): ToolCall {
  const call = fields(value);
  const called = fields(call['function']);
  return { id: text(call['id']), name: text(called['name']), arguments: JSON.stringify(called['arguments'] ?? {}) };
}

function messageOf(message: Fields): Message {
  const content = text(message['content']);
  switch (message['role']) {
    case 'system':
      return systemMessage(content);
    case 'assistant': {
      const thinking = text(message['thinking']);
      return assistantMessage({
        text: content,
        toolCalls: items(message['tool_calls']).map(toolCallOf),
        reasoning: thinking === '' ? [] : [{ text: thinking }],
      });
    }
    case 'tool':
      return toolResponseMessage([
        { id: text(message['tool_call_id']), name: text(message['tool_name']), result: content },
      ]);
    default:
      return userMessage(content, {
        media: items(message['images']).map((image) =>
          media('image/*', { type: 'base64', base64: text(image) }, { name: 'image' }),
        ),
      });
  }
}

function messagesOf(list: readonly unknown[]): Message[] {
  const messages: Message[] = [];
  for (const message of list.map(fields).map(messageOf)) {
    const last = messages.at(-1);
    if (message.type === 'tool' && last?.type === 'tool') {
      messages[messages.length - 1] = toolResponseMessage([...last.responses, ...message.responses]);
    } else messages.push(message);
  }
  return messages;
}

/**
 * The body of a request to `POST /api/chat` in neutral terms: what stands in `options` is put beside the rest. Source:
 * https://docs.ollama.com/api/chat
 */
export function ollamaRequest(body: unknown): WireRequest {
  const request = fields(body);
  const options: Record<string, unknown> = {};
  const rest = {
    ...present(without(request, ['messages', 'tools', 'options', 'format'])),
    ...present(fields(request['options'])),
  };
  for (const [name, value] of Object.entries(rest)) options[RENAMED[name] ?? name] = value;
  const { format } = request;
  if (typeof format === 'object' && format !== null) options['outputSchema'] = format;
  else if (format !== undefined) options['format'] = format;
  return {
    messages: messagesOf(items(request['messages'])),
    options,
    tools: items(request['tools']).map((tool) => text(fields(fields(tool)['function'])['name'])),
  };
}
