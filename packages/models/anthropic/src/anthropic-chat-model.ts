import type Anthropic from '@anthropic-ai/sdk';
import {
  BaseChatModel,
  type BaseChatModelOptions,
  type ChatModelCapabilities,
  type ChatResponse,
  type ModelRequest,
  mergeChatOptions,
  modelErrorFrom,
  notTheApi,
  streamInterrupted,
  TEXT_ONLY,
} from '@vernal/core';
import { ANTHROPIC, type AnthropicConnection, anthropicClient } from './anthropic-connection.js';
import { EventReader } from './anthropic-events.js';
import { anthropicRequest } from './anthropic-request.js';
import { fromAnthropicMessage } from './anthropic-response.js';
import { anthropicRateLimit } from './anthropic-usage.js';

/** Needs `apiKey`, `client`, or the `baseURL` of a server that wants no key. */
export interface AnthropicChatModelOptions extends BaseChatModelOptions, AnthropicConnection {
  /** Declares what the server behind `baseURL` cannot do. */
  readonly capabilities?: Partial<ChatModelCapabilities> | undefined;
}

const capabilities: ChatModelCapabilities = {
  ...TEXT_ONLY,
  streaming: true,
  tools: true,
  toolChoice: true,
  outputSchema: 'schema',
  mediaInput: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'application/pdf'],
  reasoning: true,
  unsupportedOptions: ['frequencyPenalty', 'presencePenalty'],
};

/**
 * Anthropic's Claude, on the official SDK. Default model 'claude-haiku-4-5', default `maxTokens` 4,096. Thinking comes as reasoning parts
 * with their signatures and goes back unchanged. Errors are `ModelError`s; a stream that ends early is `model_stream_interrupted`.
 * Source: `AnthropicChatModel` of Spring AI; https://docs.claude.com/en/api/messages
 *
 * @example
 * const model = new AnthropicChatModel({ apiKey: process.env.ANTHROPIC_API_KEY });
 * console.log(await callText(model, 'Tell me a joke'));
 */
export class AnthropicChatModel extends BaseChatModel {
  readonly provider = 'anthropic';
  readonly capabilities: ChatModelCapabilities;
  readonly #client: Anthropic;
  readonly #providerMessages: boolean;

  constructor(options: AnthropicChatModelOptions = {}) {
    super({
      ...options,
      defaultOptions: mergeChatOptions({ model: 'claude-haiku-4-5', maxTokens: 4096 }, options.defaultOptions),
    });
    this.capabilities = { ...capabilities, ...options.capabilities };
    this.#client = anthropicClient(options);
    this.#providerMessages = options.providerMessages ?? false;
  }

  protected override async doCall(request: ModelRequest): Promise<ChatResponse> {
    const body = anthropicRequest(request);
    try {
      const { data, response } = await this.#client.messages
        .create({ ...body, stream: false }, { signal: request.signal })
        .withResponse();
      if (!Array.isArray(data?.content)) throw notTheApi({ ...ANTHROPIC, model: body.model });
      return fromAnthropicMessage(data, anthropicRateLimit(response.headers));
    } catch (error) {
      throw this.#error(error, body.model, false);
    }
  }

  protected async *doStream(request: ModelRequest): AsyncIterable<ChatResponse> {
    const body = anthropicRequest(request);
    let streaming = false;
    try {
      const { data, response } = await this.#client.messages
        .create({ ...body, stream: true }, { signal: request.signal })
        .withResponse();
      streaming = true;
      const reader = new EventReader(anthropicRateLimit(response.headers));
      for await (const event of data) {
        const chunk = reader.read(event);
        if (chunk !== undefined) yield chunk;
      }
      if (!reader.complete) throw streamInterrupted({ ...ANTHROPIC, model: body.model });
    } catch (error) {
      throw this.#error(error, body.model, streaming);
    }
  }

  #error(thrown: unknown, model: string, streaming: boolean): Error {
    return modelErrorFrom(thrown, { ...ANTHROPIC, model, streaming, providerMessages: this.#providerMessages });
  }
}
