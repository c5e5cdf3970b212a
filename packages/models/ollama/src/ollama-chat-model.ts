import {
  BaseChatModel,
  type BaseChatModelOptions,
  type ChatModelCapabilities,
  type ChatResponse,
  type Message,
  type ModelRequest,
  TEXT_ONLY,
} from '@vernal/core';
import {
  changedOptions,
  type ModelErrorPlace,
  modelErrorFrom,
  RequestTimeout,
  readAnswer,
  requireModel,
  streamInterrupted,
} from '@vernal/core/adapter';
import { jsonLines } from './json-lines.js';
import { ModelPulls, samePulls } from './model-pulls.js';
import {
  askOllama,
  OLLAMA,
  type OllamaCall,
  type OllamaConnection,
  readBody,
  requestOllama,
} from './ollama-connection.js';
import { ollamaRequest } from './ollama-request.js';
import { AnswerReader } from './ollama-response.js';
import type { OllamaPullOptions } from './pull-options.js';

/** `defaultOptions` or the call must name a model. */
export interface OllamaChatModelOptions extends BaseChatModelOptions, OllamaConnection, OllamaPullOptions {
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
 * Chat models of an Ollama server. A model must be named; there is no default. It is pulled when `pull` says so, and only then. Tool
 * calls without an id get one that is unique in the conversation; there is no choice of tools. Errors are `ModelError`s; a stream that
 * ends early is `model_stream_interrupted`, a server that falls silent in the middle of one `timeout`.
 *
 * Durations are in the metadata of the response, in milliseconds: `totalDurationMs`, `loadDurationMs`, `promptEvalDurationMs` and
 * `evalDurationMs`.
 * Source: `OllamaChatModel` of Spring AI; https://docs.ollama.com/api/chat
 *
 * @example
 * const model = new OllamaChatModel({ defaultOptions: { model: 'llama3.2' }, pull: 'whenMissing' });
 * console.log(await callText(model, 'Tell me a joke'));
 */
export class OllamaChatModel extends BaseChatModel {
  readonly provider = 'ollama';
  readonly capabilities: ChatModelCapabilities;
  readonly #options: OllamaChatModelOptions;
  #pulls: ModelPulls;

  constructor(options: OllamaChatModelOptions = {}) {
    super(options);
    this.capabilities = { ...capabilities, ...options.capabilities };
    this.#options = options;
    this.#pulls = new ModelPulls(options);
  }

  /**
   * A model with other options: those given replace the old ones, and `defaultOptions` are merged over them (undefined keeps, null
   * unsets). This one stays as it is. Models that both have pulled are not pulled anew, unless the change concerns the connection or the
   * pulling.
   *
   * @example
   * const precise = model.with({ defaultOptions: { temperature: 0 } });
   */
  with(change: Partial<OllamaChatModelOptions>): OllamaChatModel {
    const derived = new OllamaChatModel(changedOptions(this.#options, change));
    if (samePulls(change)) derived.#pulls = this.#pulls;
    return derived;
  }

  /**
   * Pulls the model of the default options and `additionalModels` now, by the strategy `pull`; nothing when it is 'never'. The first call
   * that needs a model pulls it too. Throws `invalid_argument` when no model is named.
   */
  async ready(signal?: AbortSignal): Promise<void> {
    await this.#pulls.ready(requireModel(this.defaultOptions.model), signal);
  }

  protected override async doCall(request: ModelRequest): Promise<ChatResponse> {
    const body = ollamaRequest(request);
    try {
      const call = await this.#ready({ ...body, stream: false }, request.signal);
      const reader = new AnswerReader(earlierCalls(request.messages));
      return await askOllama(this.#options, call, (response) =>
        readBody(response, this.#place(body.model), (answer) => reader.readWhole(answer)),
      );
    } catch (error) {
      throw this.#error(error, this.#place(body.model));
    }
  }

  protected async *doStream(request: ModelRequest): AsyncIterable<ChatResponse> {
    const body = ollamaRequest(request);
    let place = this.#place(body.model);
    const timeout = new RequestTimeout(this.#options.timeoutMs, request.signal);
    try {
      const call = await this.#ready({ ...body, stream: true }, timeout.signal);
      const response = await timeout.within(requestOllama(this.#options, call));
      place = { ...place, streaming: true };
      const reader = new AnswerReader(earlierCalls(request.messages));
      const lines = jsonLines(timeout.chunks(response.body), place);
      for await (const line of lines) yield readAnswer(place, () => reader.readLine(line));
      if (!reader.complete) throw streamInterrupted(place);
    } catch (error) {
      throw this.#error(error, place);
    } finally {
      timeout.stop();
    }
  }

  /** Once the server has the model, whose pull has a time of its own. */
  async #ready(body: { readonly model: string; readonly stream: boolean }, signal: AbortSignal): Promise<OllamaCall> {
    const pulling = this.#pulls.before(body.model, signal);
    if (pulling !== undefined) await pulling;
    return { method: 'POST', path: '/api/chat', body, signal };
  }

  #place(model: string): ModelErrorPlace {
    return { ...OLLAMA, model, providerMessages: this.#options.providerMessages };
  }

  #error(thrown: unknown, place: ModelErrorPlace): Error {
    const error = modelErrorFrom(thrown, place);
    if (error.code === 'model_not_found' && place.model !== undefined) this.#pulls.forget(place.model);
    return error;
  }
}

/** One above every number that an id in the conversation has: some of its beginning may be forgotten. */
function earlierCalls(messages: readonly Message[]): number {
  const calls = messages.flatMap((message) => (message.type === 'assistant' ? message.toolCalls : []));
  return calls.reduce((next, { id }) => Math.max(next, Number(/^call_(\d{1,9})$/.exec(id)?.[1] ?? -1) + 1), 0);
}
