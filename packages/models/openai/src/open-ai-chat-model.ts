import {
  BaseChatModel,
  type BaseChatModelOptions,
  type ChatModelCapabilities,
  type ChatResponse,
  type ModelRequest,
  mergeChatOptions,
  TEXT_ONLY,
} from '@vernal/core';
import {
  begunAt,
  type ModelErrorPlace,
  notTheApi,
  RequestTimeout,
  readAnswer,
  requireApiKey,
  streamInterrupted,
} from '@vernal/core/adapter';
import type OpenAI from 'openai';
import { ChunkReader } from './open-ai-chunks.js';
import { derivedOptions, isOpenAi, OPEN_AI, type OpenAiConnection, openAiClient } from './open-ai-connection.js';
import { openAiError } from './open-ai-error.js';
import { openAiChatOptions } from './open-ai-options.js';
import { openAiRateLimit } from './open-ai-rate-limit.js';
import { type OpenAiRequest, type OpenAiRequestStyle, openAiRequest } from './open-ai-request.js';
import { type AnswerPlace, fromCompletion } from './open-ai-response.js';
import { isEventStream, openedAnswer } from './opened-answer.js';

/** Needs `apiKey`, `client`, or the `baseURL` of a server that wants no key. */
export interface OpenAiChatModelOptions extends BaseChatModelOptions, OpenAiConnection {
  /** Declares what the server behind `baseURL` cannot do, so that asking for it is an error and not silence. */
  readonly capabilities?: Partial<ChatModelCapabilities> | undefined;
  /** The property that carries `maxTokens`. Default 'max_completion_tokens' at OpenAI and Azure, 'max_tokens' at other addresses. */
  readonly maxTokensParameter?: 'max_completion_tokens' | 'max_tokens' | undefined;
  /**
   * Sends reasoning back, which DeepSeek needs between tool rounds and OpenAI refuses; true is short for 'reasoning_content'. OpenRouter
   * and vLLM take 'reasoning'. Default false.
   */
  readonly replayReasoning?: boolean | 'reasoning_content' | 'reasoning' | undefined;
}

const capabilities: ChatModelCapabilities = {
  ...TEXT_ONLY,
  streaming: true,
  tools: true,
  toolChoice: true,
  outputSchema: 'schema',
  mediaInput: ['image/*', 'audio/wav', 'audio/x-wav', 'audio/mpeg', 'audio/mp3', 'application/pdf'],
  mediaOutput: ['audio/*'],
  reasoning: true,
  unsupportedOptions: ['topK'],
};

/**
 * Chat completions of OpenAI, and of every server that speaks the protocol (Azure, Groq, OpenRouter, DeepSeek, vLLM, llama.cpp, …), on the
 * official SDK. Default model 'gpt-5-mini'. Errors are `ModelError`s: a stream that ends without a finish reason is
 * `model_stream_interrupted`, a server that falls silent in the middle of one `timeout`, a filtered prompt `model_content_filter`.
 * Source: `OpenAiChatModel` of Spring AI; https://platform.openai.com/docs/api-reference/chat
 *
 * @example
 * const model = new OpenAiChatModel({ apiKey: process.env.OPENAI_API_KEY, defaultOptions: { model: 'gpt-5-mini' } });
 * console.log(await callText(model, 'Tell me a joke'));
 */
export class OpenAiChatModel extends BaseChatModel {
  readonly provider = 'openai';
  readonly capabilities: ChatModelCapabilities;
  readonly #options: OpenAiChatModelOptions;
  readonly #client: OpenAI;
  readonly #style: OpenAiRequestStyle;

  constructor(options: OpenAiChatModelOptions = {}) {
    super({ ...options, defaultOptions: mergeChatOptions({ model: 'gpt-5-mini' }, options.defaultOptions) });
    requireApiKey(OPEN_AI.name, options);
    this.capabilities = { ...capabilities, ...options.capabilities };
    this.#options = options;
    this.#client = openAiClient(options);
    const { maxTokensParameter, replayReasoning } = options;
    this.#style = {
      maxTokensParameter: maxTokensParameter ?? (isOpenAi(this.#client) ? 'max_completion_tokens' : 'max_tokens'),
      reasoningProperty: replayReasoning === true ? 'reasoning_content' : replayReasoning || undefined,
    };
  }

  /**
   * A model like this one with some options changed; this one stays as it is. Options that are given replace, undefined keeps;
   * `defaultOptions` go over the old ones, where null unsets. A `client` that was given is kept: what changes of address, key, headers,
   * query, `fetch`, time-out and retries goes through the SDK's own `withOptions`.
   *
   * @example
   * const careful = model.with({ timeoutMs: 300_000, defaultOptions: openAiChatOptions({ reasoningEffort: 'high' }) });
   */
  with(change: Partial<OpenAiChatModelOptions>): OpenAiChatModel {
    return new OpenAiChatModel(derivedOptions(this.#options, change));
  }

  protected override async doCall(request: ModelRequest): Promise<ChatResponse> {
    const body = openAiRequest(request, this.#style, false);
    const place = this.#place(body);
    const timeout = new RequestTimeout(this.#client.timeout, request.signal);
    try {
      // Parsed here: the SDK takes longer for it than for everything that this model adds.
      const response = await this.#client.chat.completions
        .create({ ...body, stream: false }, requestOptions(request, timeout.signal))
        .asResponse();
      const data: unknown = await timeout.within(response.json(), begunAt(response));
      return readAnswer(place, () => fromCompletion(data, answerPlace(body, response)));
    } catch (error) {
      throw openAiError(error, place);
    } finally {
      timeout.stop();
    }
  }

  protected async *doStream(request: ModelRequest): AsyncIterable<ChatResponse> {
    const body = openAiRequest(request, this.#style, true);
    const opening = this.#place(body);
    let place = opening;
    const timeout = new RequestTimeout(this.#client.timeout, request.signal);
    try {
      const response = await this.#client.chat.completions
        .create({ ...body, stream: true }, requestOptions(request, timeout.signal))
        .asResponse();
      place = { ...opening, streaming: true };
      const answer = answerPlace(body, response);
      const opened = await openedAnswer(response, { answer, timeout, place: opening });
      if ('whole' in opened) {
        yield opened.whole;
        return;
      }
      // The events are read here and not by the SDK, which hides whether the closing mark came: without it an answer may be cut.
      const reader = new ChunkReader(answer);
      let data = '';
      const read = (): ChatResponse | undefined => reader.read(data);
      for await (data of opened.events) {
        const chunk = readAnswer(reader.begun ? place : opening, read);
        if (chunk !== undefined) yield chunk;
      }
      if (!reader.complete) throw reader.begun || isEventStream(response) ? streamInterrupted(place) : notTheApi(place);
    } catch (error) {
      throw openAiError(error, place);
    } finally {
      timeout.stop();
    }
  }

  #place({ model }: OpenAiRequest): ModelErrorPlace {
    const { provider, name } = OPEN_AI;
    return { provider, name, model, providerMessages: this.#options.providerMessages ?? false };
  }
}

function requestOptions(
  { options }: ModelRequest,
  signal: AbortSignal,
): { signal: AbortSignal; headers?: Record<string, string> } {
  const { headers } = openAiChatOptions.of(options);
  return headers === undefined ? { signal } : { signal, headers: { ...headers } };
}

function answerPlace({ model, audio }: OpenAiRequest, { headers }: Response): AnswerPlace {
  return {
    model,
    audioFormat: audio?.format ?? 'wav',
    rateLimit: openAiRateLimit(headers),
    requestId: headers.get('x-request-id') ?? undefined,
  };
}
