import {
  BaseChatModel,
  type BaseChatModelOptions,
  type ChatModelCapabilities,
  type ChatResponse,
  type Message,
  type ModelRequest,
  modelErrorFrom,
  notTheApi,
  streamInterrupted,
  TEXT_ONLY,
} from '@vernal/core';
import { jsonLines } from './json-lines.js';
import { OLLAMA, type OllamaConnection, postToOllama } from './ollama-connection.js';
import { ollamaRequest } from './ollama-request.js';
import { AnswerReader, type OllamaAnswer } from './ollama-response.js';

/** `defaultOptions` or the call must name a model. */
export interface OllamaChatModelOptions extends BaseChatModelOptions, OllamaConnection {
  /** Declares what the model cannot do: not every one takes tools or images. */
  readonly capabilities?: Partial<ChatModelCapabilities> | undefined;
}

const capabilities: ChatModelCapabilities = {
  ...TEXT_ONLY,
  streaming: true,
  tools: true,
  outputSchema: 'schema',
  mediaInput: ['image/*'],
  reasoning: true,
};

/**
 * Chat models of an Ollama server. A model must be named; there is no default. Tool calls, which have no ids there, get some that are
 * unique in the conversation. Errors are `ModelError`s; a stream that ends early is `model_stream_interrupted`.
 * Source: `OllamaChatModel` of Spring AI; https://docs.ollama.com/api/chat
 *
 * @example
 * const model = new OllamaChatModel({ defaultOptions: { model: 'llama3.2' } });
 * console.log(await callText(model, 'Tell me a joke'));
 */
export class OllamaChatModel extends BaseChatModel {
  readonly provider = 'ollama';
  readonly capabilities: ChatModelCapabilities;
  readonly #connection: OllamaConnection;
  readonly #providerMessages: boolean;

  constructor(options: OllamaChatModelOptions = {}) {
    super(options);
    this.capabilities = { ...capabilities, ...options.capabilities };
    this.#connection = options;
    this.#providerMessages = options.providerMessages ?? false;
  }

  protected override async doCall(request: ModelRequest): Promise<ChatResponse> {
    const body = ollamaRequest(request);
    try {
      const response = await postToOllama(this.#connection, '/api/chat', { ...body, stream: false }, request.signal);
      const answer = (await response.json()) as OllamaAnswer;
      if (typeof answer?.message !== 'object' && answer?.error === undefined)
        throw notTheApi({ ...OLLAMA, model: body.model });
      return new AnswerReader(earlierCalls(request.messages)).read(answer);
    } catch (error) {
      throw error instanceof SyntaxError
        ? notTheApi({ ...OLLAMA, model: body.model })
        : this.#error(error, body.model, false);
    }
  }

  protected async *doStream(request: ModelRequest): AsyncIterable<ChatResponse> {
    const body = ollamaRequest(request);
    let streaming = false;
    try {
      const response = await postToOllama(this.#connection, '/api/chat', { ...body, stream: true }, request.signal);
      streaming = true;
      const reader = new AnswerReader(earlierCalls(request.messages));
      for await (const line of jsonLines(response.body)) yield reader.read(line as OllamaAnswer);
      if (!reader.complete) throw streamInterrupted({ ...OLLAMA, model: body.model });
    } catch (error) {
      throw this.#error(error, body.model, streaming);
    }
  }

  #error(thrown: unknown, model: string, streaming: boolean): Error {
    return modelErrorFrom(thrown, { ...OLLAMA, model, streaming, providerMessages: this.#providerMessages });
  }
}

function earlierCalls(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + (message.type === 'assistant' ? message.toolCalls.length : 0), 0);
}
