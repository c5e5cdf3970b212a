import { abortError, type Logger, retry, type SignalOptions, safeLogger, throwIfAborted } from '@vernal/core';
import { modelErrorFrom, requireHttpAddress } from '@vernal/core/adapter';
import { comparableModelName, requireModelName } from './model-name.js';
import {
  askOllama,
  OLLAMA,
  OllamaAnswerError,
  type OllamaCall,
  type OllamaConnection,
  readBody,
} from './ollama-connection.js';
import {
  installedModels,
  modelDescription,
  type OllamaInstalledModel,
  type OllamaModelDescription,
  type OllamaRunningModel,
  runningModels,
} from './ollama-models.js';
import {
  type OllamaPullLimits,
  type OllamaPullStrategy,
  requirePullLimits,
  requirePullStrategy,
} from './pull-options.js';
import { type OllamaPullProgress, pullProgress } from './pull-progress.js';

/** Where the models are, and how patiently they are pulled. */
export interface OllamaModelManagerOptions extends OllamaConnection, OllamaPullLimits {
  /** Hears of pulls and deletions. Default `noopLogger`. */
  readonly logger?: Logger | undefined;
}

/** How one model is pulled. */
export interface OllamaPullModelOptions extends SignalOptions {
  /** Default 'always': what the server has is brought up to date. */
  readonly strategy?: OllamaPullStrategy | undefined;
  readonly onProgress?: ((progress: OllamaPullProgress) => void) | undefined;
}

/**
 * The models of an Ollama server: lists, describes, pulls and deletes them. Nothing happens in the constructor.
 *
 * Errors are `ModelError`s, `model_not_found` for a model that does not exist; an aborted call is `aborted`, or `timeout` by
 * `AbortSignal.timeout`; a `baseURL` that is none is `invalid_argument`.
 * Source: `OllamaModelManager` of Spring AI; https://docs.ollama.com/api/introduction
 *
 * @example
 * const manager = new OllamaModelManager();
 * await manager.pullModel('llama3.2', { strategy: 'whenMissing', onProgress: ({ status }) => show(status) });
 */
export class OllamaModelManager {
  readonly #connection: OllamaConnection;
  readonly #logger: Logger;
  readonly #pullTimeoutMs: number;
  readonly #pullRetries: number;

  constructor(options: OllamaModelManagerOptions = {}) {
    requireHttpAddress(options.baseURL, 'http://host:11434');
    const { pullTimeoutMs, pullRetries } = requirePullLimits(options);
    this.#connection = options;
    this.#logger = safeLogger(options.logger);
    this.#pullTimeoutMs = pullTimeoutMs;
    this.#pullRetries = pullRetries;
  }

  /** What the server has. */
  listModels({ signal }: SignalOptions = {}): Promise<OllamaInstalledModel[]> {
    return this.#ask({ method: 'GET', path: '/api/tags', signal }, installedModels);
  }

  /** What is loaded. */
  listRunningModels({ signal }: SignalOptions = {}): Promise<OllamaRunningModel[]> {
    return this.#ask({ method: 'GET', path: '/api/ps', signal }, runningModels);
  }

  /** Capabilities, parameters and the like of a model that the server has. */
  async showModel(model: string, { signal }: SignalOptions = {}): Promise<OllamaModelDescription> {
    const name = requireModelName(model);
    return this.#ask({ method: 'POST', path: '/api/show', body: { model: name }, signal }, modelDescription, name);
  }

  /** Whether the server has a model; a name without a tag means `latest`. */
  async isModelAvailable(model: string, options?: SignalOptions): Promise<boolean> {
    const wanted = comparableModelName(model);
    return (await this.listModels(options)).some(({ name }) => comparableModelName(name) === wanted);
  }

  /**
   * Resolves once the server has the model: true when it was pulled, false when the strategy left it as it is. Pulls that fail for a
   * passing reason are repeated as `pullRetries` says. A server that is silent for `pullTimeoutMs` is `timeout`.
   */
  async pullModel(
    model: string,
    { strategy = 'always', onProgress, signal }: OllamaPullModelOptions = {},
  ): Promise<boolean> {
    const name = requireModelName(model);
    requirePullStrategy('strategy', strategy);
    throwIfAborted(signal);
    if (strategy === 'never') return false;
    if (strategy === 'whenMissing' && (await this.isModelAvailable(name, { signal }))) return false;
    this.#logger.info('Ollama begins to pull a model', { model: name });
    const policy = { maxAttempts: 1 + this.#pullRetries };
    await retry(() => this.#pull(name, signal, onProgress), policy, { signal, logger: this.#logger });
    this.#logger.info('Ollama has pulled a model', { model: name });
    return true;
  }

  /**
   * Pulls a model and gives its progress as it comes, once: it ends after 'success' and is not repeated. Leaving the loop, or the
   * signal, ends the pull; the server keeps what it has loaded for the next one.
   */
  streamPull(model: string, { signal }: SignalOptions = {}): AsyncIterable<OllamaPullProgress> {
    const pullTimeoutMs = this.#pullTimeoutMs;
    return pullProgress(this.#connection, { model: requireModelName(model), pullTimeoutMs, signal });
  }

  /** True when the model was deleted, false when the server did not have it. */
  async deleteModel(model: string, { signal }: SignalOptions = {}): Promise<boolean> {
    const name = requireModelName(model);
    const call = { method: 'DELETE', path: '/api/delete', body: { model: name } } as const;
    try {
      await askOllama(this.#connection, { ...call, signal }, async ({ body }) => body?.cancel());
    } catch (error) {
      // Without words of Ollama's it is the address that does not exist, and not the model.
      if (error instanceof OllamaAnswerError && error.status === 404 && error.message !== '') return false;
      throw this.#error(error, signal, name);
    }
    this.#logger.info('Ollama has deleted a model', { model: name });
    return true;
  }

  async #pull(
    model: string,
    signal: AbortSignal | undefined,
    onProgress: OllamaPullModelOptions['onProgress'],
  ): Promise<void> {
    for await (const progress of this.streamPull(model, { signal })) onProgress?.(progress);
  }

  async #ask<T>(call: OllamaCall, read: (body: unknown) => T, model?: string): Promise<T> {
    try {
      return await askOllama(this.#connection, call, (response) => readBody(response, this.#place(model), read));
    } catch (error) {
      throw this.#error(error, call.signal, model);
    }
  }

  #error(thrown: unknown, signal: AbortSignal | undefined, model: string | undefined): Error {
    return signal?.aborted ? abortError(signal) : modelErrorFrom(thrown, this.#place(model));
  }

  #place(model: string | undefined): Parameters<typeof modelErrorFrom>[1] {
    return { ...OLLAMA, model, providerMessages: this.#connection.providerMessages };
  }
}
