import { type Media, type Message, type ModelRequest, mediaBase64, UnsupportedCapabilityError } from '@vernal/core';
import { requireModel, toolCallInput } from '@vernal/core/adapter';
import { ollamaChatOptions } from './ollama-options.js';
import { splitOwnOptions } from './own-options.js';

interface OllamaMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly thinking?: string;
  readonly images?: readonly string[];
  readonly tool_calls?: readonly OllamaToolCall[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}
interface OllamaToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: unknown };
}

/** Body of `/api/chat`. JSON leaves out what is undefined. */
export interface OllamaRequest {
  readonly model: string;
  readonly messages: readonly OllamaMessage[];
  readonly tools?: readonly object[] | undefined;
  readonly format?: object | 'json' | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  /** Members that only Ollama's own options set. */
  readonly [member: string]: unknown;
}

/** Own options that stand in the request itself. */
const MEMBERS: ReadonlySet<string> = new Set([
  'think',
  'keep_alive',
  'format',
  'truncate',
  'shift',
  'logprobs',
  'top_logprobs',
]);

export function ollamaRequest({ messages, options }: ModelRequest): OllamaRequest {
  const { request, parameters } = splitOwnOptions(ollamaChatOptions.of(options), MEMBERS);
  return {
    ...request,
    model: requireModel(options.model),
    messages: messages.flatMap(ollamaMessages),
    tools: options.tools?.length
      ? options.tools.map(({ definition: { name, description, inputSchema } }) => {
          return { type: 'function', function: { name, description, parameters: inputSchema } };
        })
      : undefined,
    ...(options.outputSchema === undefined ? undefined : { format: options.outputSchema }),
    options: {
      temperature: options.temperature,
      top_p: options.topP,
      top_k: options.topK,
      num_predict: options.maxTokens,
      stop: options.stopSequences,
      frequency_penalty: options.frequencyPenalty,
      presence_penalty: options.presencePenalty,
      ...parameters,
    },
    // `extra` goes in as it is, by request of whoever wrote it.
    ...options.extra,
  };
}

function ollamaMessages(message: Message): OllamaMessage[] {
  switch (message.type) {
    case 'system':
      return [{ role: 'system', content: message.text }];
    case 'user':
      return [{ role: 'user', content: message.text, ...images(message.media) }];
    case 'assistant': {
      const thinking = message.reasoning.map((part) => (part.provider === 'ollama' ? (part.text ?? '') : '')).join('');
      return [
        {
          role: 'assistant',
          content: message.text,
          ...(thinking === '' ? {} : { thinking }),
          ...(message.toolCalls.length === 0
            ? {}
            : {
                tool_calls: message.toolCalls.map((call) => ({
                  id: call.id,
                  function: { name: call.name, arguments: toolCallInput(call) },
                })),
              }),
        },
      ];
    }
    case 'tool':
      return message.responses.map((response): OllamaMessage => {
        const { id, name, result, media = [] } = response;
        return { role: 'tool', content: result, tool_name: name, tool_call_id: id, ...images(media) };
      });
  }
}

function images(media: readonly Media[]): { images?: string[] } {
  if (media.length === 0) return {};
  return {
    images: media.map((one) => {
      if (one.source.type !== 'url') return mediaBase64(one);
      throw new UnsupportedCapabilityError('Ollama takes no addresses of images: read the bytes first', {
        capability: 'media.input.url',
        owner: 'ollama',
      });
    }),
  };
}
