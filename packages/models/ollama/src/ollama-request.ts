import {
  type Media,
  type Message,
  type ModelRequest,
  mediaBase64,
  requireModel,
  toolCallInput,
  UnsupportedCapabilityError,
} from '@vernal/core';
import { ollamaChatOptions } from './ollama-options.js';

interface OllamaMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly thinking?: string;
  readonly images?: readonly string[];
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: unknown } }[];
  readonly tool_name?: string;
}

/** Body of `/api/chat`. JSON leaves out what is undefined. */
export interface OllamaRequest {
  readonly model: string;
  readonly messages: readonly OllamaMessage[];
  readonly tools?: readonly object[] | undefined;
  readonly format?: object | undefined;
  readonly think?: boolean | string | undefined;
  readonly keep_alive?: string | number | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

export function ollamaRequest({ messages, options }: ModelRequest): OllamaRequest {
  const own = ollamaChatOptions.of(options);
  const { think, keepAlive, ...parameters } = own;
  return {
    model: requireModel(options.model),
    messages: messages.flatMap(ollamaMessages),
    tools: options.tools?.length
      ? options.tools.map(({ definition: { name, description, inputSchema } }) => {
          return { type: 'function', function: { name, description, parameters: inputSchema } };
        })
      : undefined,
    format: options.outputSchema,
    think,
    keep_alive: keepAlive,
    options: {
      temperature: options.temperature,
      top_p: options.topP,
      top_k: options.topK,
      num_predict: options.maxTokens,
      stop: options.stopSequences,
      frequency_penalty: options.frequencyPenalty,
      presence_penalty: options.presencePenalty,
      ...snakeCase(parameters),
    },
    // `extra` goes in as it is, by request of whoever wrote it.
    ...options.extra,
  };
}

function snakeCase(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const name = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [name(key), value]));
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
                  function: { name: call.name, arguments: toolCallInput(call) },
                })),
              }),
        },
      ];
    }
    case 'tool':
      return message.responses.map((response): OllamaMessage => {
        return { role: 'tool', content: response.result, tool_name: response.name, ...images(response.media ?? []) };
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
