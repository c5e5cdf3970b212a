import {
  BaseEmbeddingModel,
  type CallContext,
  type EmbeddingModel,
  type EmbeddingModelRequest,
  type EmbeddingResponse,
  invalidArgument,
} from '@vernal/core';
import { monotonicClock, RateGate, type RateLimitClock } from '@vernal/core/adapter';

/** At least one of the three limits. */
export interface RateLimitedEmbeddingModelOptions {
  /** Requests that may start in any 60 seconds. >= 1; a fraction is cut off. */
  readonly requestsPerMinute?: number | undefined;
  /** Tokens of the requests that start in any 60 seconds. > 0. */
  readonly tokensPerMinute?: number | undefined;
  /** Requests at the same time. A whole number, at least 1. */
  readonly concurrency?: number | undefined;
  /** Default: the process's own. */
  readonly clock?: RateLimitClock | undefined;
}

const CHARACTERS_A_TOKEN = 4;

/**
 * An embedding model that is asked only as fast as its provider allows; requests wait in the order they came, and the signal ends their wait.
 * The same model as the one that is given, in all else. What a request will use is estimated by four characters a token and put right when
 * its answer reports usage. The limits are those of this object: share one among stores that share an account.
 *
 * @throws VernalError `invalid_argument` without any limit, and for limits out of range
 * @example
 * ```ts
 * const embeddingModel = new RateLimitedEmbeddingModel(new OpenAiEmbeddingModel({ apiKey }), { tokensPerMinute: 1_000_000, concurrency: 8 });
 * ```
 */
export class RateLimitedEmbeddingModel extends BaseEmbeddingModel {
  readonly provider: string;
  readonly #model: EmbeddingModel;
  readonly #gate: RateGate;
  readonly #most: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(model: EmbeddingModel, options: RateLimitedEmbeddingModelOptions) {
    if (typeof model?.call !== 'function') throw invalidArgument('model', 'pass an EmbeddingModel');
    const { defaultOptions, metadataMode, limits, provider } = model;
    super({ defaultOptions, metadataMode, limits });
    const { requestsPerMinute, tokensPerMinute, concurrency, clock = monotonicClock } = options;
    if (requestsPerMinute === undefined && tokensPerMinute === undefined && concurrency === undefined)
      throw invalidArgument('requestsPerMinute', 'name a limit: requestsPerMinute, tokensPerMinute or concurrency');
    if (requestsPerMinute !== undefined && !(requestsPerMinute >= 1))
      throw invalidArgument('requestsPerMinute', 'must be at least 1');
    if (tokensPerMinute !== undefined && !(tokensPerMinute > 0))
      throw invalidArgument('tokensPerMinute', 'must be above 0');
    if (concurrency !== undefined && !(Number.isSafeInteger(concurrency) && concurrency >= 1))
      throw invalidArgument('concurrency', 'must be a whole number, at least 1');
    this.provider = provider;
    this.#model = model;
    this.#most = concurrency ?? Number.POSITIVE_INFINITY;
    const requests = Math.floor(requestsPerMinute ?? Number.POSITIVE_INFINITY);
    this.#gate = new RateGate(
      { requests, tokens: tokensPerMinute ?? Number.POSITIVE_INFINITY },
      clock,
      Number.POSITIVE_INFINITY,
    );
  }

  protected async doCall({ inputs, options, signal }: EmbeddingModelRequest): Promise<EmbeddingResponse> {
    const characters = inputs.reduce((sum, text) => sum + text.length, 0);
    await this.#place(signal);
    try {
      const passed = await this.#gate.enter(() => Math.ceil(characters / CHARACTERS_A_TOKEN), signal);
      const response = await this.#model.call({ inputs, options }, { signal });
      const { totalTokens, promptTokens } = response.metadata.usage;
      passed.tokens = Math.max(0, totalTokens ?? promptTokens ?? passed.tokens);
      return response;
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  /** Those of the model; a probe of its own is not counted. */
  override dimensions(context?: CallContext): Promise<number> {
    return this.#model.dimensions(context);
  }

  /** Waits for one of the places; whoever leaves does not take one. */
  async #place(signal: AbortSignal): Promise<void> {
    while (this.#running >= this.#most) {
      await new Promise<void>((resolve, reject) => {
        const enter = (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        const leave = (): void => {
          const at = this.#waiting.indexOf(enter);
          if (at >= 0) this.#waiting.splice(at, 1);
          reject(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        this.#waiting.push(enter);
      });
    }
    this.#running++;
  }
}
