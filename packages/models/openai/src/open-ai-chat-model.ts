import {
  BaseChatModel,
  type BaseChatModelOptions,
  type ChatModelCapabilities,
  type ChatResponse,
  type ModelRequest,
  mergeChatOptions,
  modelErrorFrom,
  notTheApi,
  requireApiKey,
  streamInterrupted,
  TEXT_ONLY,
} from '@vernal/core';
import type OpenAI from 'openai';
import { ChunkReader } from './open-ai-chunks.js';
import { OPEN_AI, OPEN_AI_BASE_URL, type OpenAiConnection, openAiClient } from './open-ai-connection.js';
import { openAiChatOptions } from './open-ai-options.js';
import { type OpenAiRequestStyle, openAiRequest } from './open-ai-request.js';
import { fromCompletion } from './open-ai-response.js';
import { openAiRateLimit } from './open-ai-usage.js';
import { serverSentEvents } from './server-sent-events.js';

/** Needs `apiKey`, `client`, or the `baseURL` of a server that wants no key. */
export interface OpenAiChatModelOptions extends BaseChatModelOptions, OpenAiConnection {
  /** Declares what the server behind `baseURL` cannot do, so that asking for it is an error and not silence. */
  readonly capabilities?: Partial<ChatModelCapabilities> | undefined;
  /** The property that carries `maxTokens`. Default 'max_completion_tokens' at OpenAI, 'max_tokens' at other addresses. */
  readonly maxTokensParameter?: 'max_completion_tokens' | 'max_tokens' | undefined;
  /** Sends reasoning back as `reasoning_content`, which DeepSeek needs between tool rounds and OpenAI refuses. Default false. */
  readonly replayReasoning?: boolean | undefined;
}

const capabilities: ChatModelCapabilities = {
  ...TEXT_ONLY,
  streaming: true,
  tools: true,
  toolChoice: true,
  outputSchema: 'schema',
  mediaInput: ['image/*', 'audio/wav', 'audio/x-wav', 'audio/mpeg', 'audio/mp3', 'application/pdf'],
  reasoning: true,
  unsupportedOptions: ['topK'],
};

/**
 * Chat completions of OpenAI, and of every server that speaks the protocol (Groq, OpenRouter, DeepSeek, vLLM, llama.cpp, …), on the
 * official SDK. Default model 'gpt-5-mini'. Errors are `ModelError`s; a stream that ends without a finish reason is
 * `model_stream_interrupted`.
 * Source: `OpenAiChatModel` of Spring AI; https://platform.openai.com/docs/api-reference/chat
 *
 * @example
 * const model = new OpenAiChatModel({ apiKey: process.env.OPENAI_API_KEY, defaultOptions: { model: 'gpt-5-mini' } });
 * console.log(await callText(model, 'Tell me a joke'));
 */
export class OpenAiChatModel extends BaseChatModel {
  readonly provider = 'openai';
  readonly capabilities: ChatModelCapabilities;
  readonly #client: OpenAI;
  readonly #style: OpenAiRequestStyle;
  readonly #providerMessages: boolean;

  constructor(options: OpenAiChatModelOptions = {}) {
    super({ ...options, defaultOptions: mergeChatOptions({ model: 'gpt-5-mini' }, options.defaultOptions) });
    requireApiKey(OPEN_AI.name, options);
    this.capabilities = { ...capabilities, ...options.capabilities };
    this.#client = openAiClient(options);
    const official = options.client === undefined && (options.baseURL ?? OPEN_AI_BASE_URL) === OPEN_AI_BASE_URL;
    this.#style = {
      maxTokensParameter: options.maxTokensParameter ?? (official ? 'max_completion_tokens' : 'max_tokens'),
      replayReasoning: options.replayReasoning ?? false,
    };
    this.#providerMessages = options.providerMessages ?? false;
  }

  protected override async doCall(request: ModelRequest): Promise<ChatResponse> {
    const body = openAiRequest(request, this.#style);
    try {
      const { data, response } = await this.#client.chat.completions
        .create({ ...body, stream: false }, { signal: request.signal })
        .withResponse();
      if (!Array.isArray(data?.choices)) throw notTheApi({ ...OPEN_AI, model: body.model });
      return fromCompletion(data, openAiRateLimit(response.headers));
    } catch (error) {
      throw this.#error(error, body.model, false);
    }
  }

  protected async *doStream(request: ModelRequest): AsyncIterable<ChatResponse> {
    const body = openAiRequest(request, this.#style);
    const usage = openAiChatOptions.of(request.options).streamUsage ?? true;
    let streaming = false;
    try {
      const response = await this.#client.chat.completions
        .create(
          { ...body, stream: true, ...(usage ? { stream_options: { include_usage: true } } : {}) },
          { signal: request.signal },
        )
        .asResponse();
      streaming = true;
      const reader = new ChunkReader(openAiRateLimit(response.headers));
      // The events are read here and not by the SDK, which hides whether the closing mark came: without it an answer may be cut.
      for await (const data of serverSentEvents(response.body)) {
        const chunk = reader.read(data);
        if (chunk !== undefined) yield chunk;
      }
      if (!reader.complete) throw streamInterrupted({ ...OPEN_AI, model: body.model });
    } catch (error) {
      throw this.#error(error, body.model, streaming);
    }
  }

  #error(thrown: unknown, model: string, streaming: boolean): Error {
    return modelErrorFrom(thrown, { ...OPEN_AI, model, streaming, providerMessages: this.#providerMessages });
  }
}
