import type Anthropic from '@anthropic-ai/sdk';
import {
  BaseChatModel,
  type BaseChatModelOptions,
  type ChatModelCapabilities,
  type ChatResponse,
  type Logger,
  type ModelRequest,
  mergeChatOptions,
  safeLogger,
  TEXT_ONLY,
} from '@vernal/core';
import {
  begunAt,
  changedOptions,
  type ModelErrorPlace,
  modelErrorFrom,
  notTheApi,
  RequestTimeout,
  readAnswer,
  streamInterrupted,
} from '@vernal/core/adapter';
import { ANTHROPIC, type AnthropicConnection, anthropicClient, derivedClient } from './anthropic-connection.js';
import { EventReader } from './anthropic-events.js';
import { requestHeaders } from './anthropic-headers.js';
import { MEDIA_INPUT } from './anthropic-media.js';
import { anthropicChatOptions } from './anthropic-options.js';
import { type AnthropicRequest, anthropicRequest } from './anthropic-request.js';
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
  mediaInput: MEDIA_INPUT,
  reasoning: true,
  unsupportedOptions: ['frequencyPenalty', 'presencePenalty'],
};

/**
 * Anthropic's Claude, on the official SDK. Default model 'claude-haiku-4-5', default `maxTokens` 4,096. Thinking comes as reasoning parts
 * with their signatures and goes back unchanged, and so do the blocks of tools that run at Anthropic. Citations and pages that were found
 * are `citations`, `citationCount` and `webSearchResults` in the metadata of the generation, alike whole and streamed.
 *
 * An answer with the finish reason 'pause_turn' is not over: put its message behind the others and ask again, and the model goes on.
 * Errors are `ModelError`s; a stream that ends early is `model_stream_interrupted`, a server that falls silent in the middle of one
 * `timeout`.
 * Source: `AnthropicChatModel` of Spring AI; https://platform.claude.com/docs/en/api/messages
 *
 * @example
 * const model = new AnthropicChatModel({ apiKey: process.env.ANTHROPIC_API_KEY });
 * console.log(await callText(model, 'Tell me a joke'));
 */
export class AnthropicChatModel extends BaseChatModel {
  readonly provider = 'anthropic';
  readonly capabilities: ChatModelCapabilities;
  readonly #options: AnthropicChatModelOptions;
  readonly #client: Anthropic;
  readonly #logger: Logger;

  constructor(options: AnthropicChatModelOptions = {}) {
    super({
      ...options,
      defaultOptions: mergeChatOptions({ model: 'claude-haiku-4-5', maxTokens: 4096 }, options.defaultOptions),
    });
    this.capabilities = { ...capabilities, ...options.capabilities };
    this.#options = options;
    this.#client = anthropicClient(options);
    this.#logger = safeLogger(options.logger);
  }

  /**
   * A model like this one but for what is given; this one stays as it is. Options replace; `defaultOptions` merge over these (undefined
   * keeps, null unsets). With a `client` of your own, address, key, headers, `fetch`, time-out and retries change in a copy of it.
   *
   * @example
   * const careful = model.with({ defaultOptions: anthropicChatOptions({ effort: 'high' }), timeoutMs: 300_000 });
   */
  with(change: Partial<AnthropicChatModelOptions>): AnthropicChatModel {
    const options = changedOptions(this.#options, change);
    return new AnthropicChatModel({ ...options, client: derivedClient(options.client, change) });
  }

  protected override async doCall(request: ModelRequest): Promise<ChatResponse> {
    const body = anthropicRequest(request, this.#logger);
    const place = this.#place(body, false);
    const timeout = new RequestTimeout(this.#client.timeout, request.signal);
    try {
      const answering = this.#client.messages.create(
        { ...body, stream: false },
        this.#requestOptions(request, timeout),
      );
      const response = await answering.asResponse();
      const data = await timeout.within(answering, begunAt(response));
      if (!Array.isArray(data?.content)) throw notTheApi(place);
      return readAnswer(place, () => fromAnthropicMessage(data, anthropicRateLimit(response.headers)));
    } catch (error) {
      throw modelErrorFrom(error, place);
    } finally {
      timeout.stop();
    }
  }

  protected async *doStream(request: ModelRequest): AsyncIterable<ChatResponse> {
    const body = anthropicRequest(request, this.#logger);
    let place = this.#place(body, false);
    const timeout = new RequestTimeout(this.#client.timeout, request.signal);
    try {
      const { data, response } = await this.#client.messages
        .create({ ...body, stream: true }, this.#requestOptions(request, timeout))
        .withResponse();
      place = this.#place(body, true);
      // Here and not around the events: the SDK keeps the server's pings to itself.
      Object.defineProperty(response, 'body', { value: response.body && timeout.chunks(response.body) });
      const reader = new EventReader(anthropicRateLimit(response.headers));
      for await (const event of data) {
        const chunk = readAnswer(place, () => reader.read(event));
        if (chunk !== undefined) yield chunk;
      }
      if (!reader.started && !isEventStream(response)) throw notTheApi(place);
      if (!reader.complete) throw streamInterrupted(place);
    } catch (error) {
      throw place.streaming && isNotJson(error) ? unreadable(error, place) : modelErrorFrom(error, place);
    } finally {
      timeout.stop();
    }
  }

  #place({ model }: AnthropicRequest, streaming: boolean): ModelErrorPlace {
    return { ...ANTHROPIC, model, streaming, providerMessages: this.#options.providerMessages ?? false };
  }

  #requestOptions({ options }: ModelRequest, { signal }: RequestTimeout): Anthropic.RequestOptions {
    const headers = requestHeaders(anthropicChatOptions.of(options), this.#options.headers);
    // The time-out is named, or the SDK would refuse whole answers of many tokens before it asks.
    return { signal, headers, timeout: this.#client.timeout };
  }
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.toLowerCase().includes('event-stream') ?? false;
}

function isNotJson(error: unknown): boolean {
  return error instanceof SyntaxError;
}

/** An event that is no JSON came whole: it would be none the next time either. */
function unreadable(thrown: unknown, place: ModelErrorPlace): unknown {
  try {
    return readAnswer(place, () => {
      throw thrown;
    });
  } catch (error) {
    return error;
  }
}
