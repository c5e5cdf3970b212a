import { throwIfAborted } from '../context/abort-error.js';
import type { CallContext } from '../context/call-context.js';
import { LinkedSignal } from '../context/linked-signal.js';
import { neverAborted } from '../context/never-aborted.js';
import type { MetadataMode } from '../documents/content-format.js';
import type { Logger } from '../logging/logger.js';
import { safeLogger } from '../logging/safe-logger.js';
import { guardedRequest } from '../model/guarded-request.js';
import { noopObservationRegistry, type ObservationRegistry } from '../observation/observation.js';
import { type SafeObservation, startSafely } from '../observation/safe-observation.js';
import { mergeChatOptions } from '../options/merge-chat-options.js';
import type { RetryPolicy } from '../retry/retry-policy.js';
import { checkedEmbeddings } from './checked-embeddings.js';
import type {
  EmbeddingModel,
  EmbeddingOptions,
  EmbeddingRequest,
  EmbeddingResponse,
  ResolvedEmbeddingOptions,
} from './embedding-model.js';
import { splitByLimits } from './split-by-limits.js';

/** What every embedding model built on `BaseEmbeddingModel` takes; providers add their own. */
export interface BaseEmbeddingModelOptions {
  readonly defaultOptions?: EmbeddingOptions | undefined;
  /** What of a document is embedded. Default 'embed'. */
  readonly metadataMode?: MetadataMode | undefined;
  /** Per request; `embed` cuts its texts by them. Default none. */
  readonly limits?: EmbeddingModel['limits'] | undefined;
  /** Default `noRetry`: the SDKs of providers repeat requests by themselves, and both together would multiply. */
  readonly retry?: RetryPolicy | undefined;
  /** Default: none. */
  readonly observationRegistry?: ObservationRegistry | undefined;
  /** Default `noopLogger`. */
  readonly logger?: Logger | undefined;
}

/** What `BaseEmbeddingModel` hands to a provider: within the limits if it came through `embed`, options merged and without nulls. */
export interface EmbeddingModelRequest {
  /** Never empty. */
  readonly inputs: readonly string[];
  readonly options: ResolvedEmbeddingOptions;
  /** This call's own, aborted with the caller's. One that never fires when the caller gave none. */
  readonly signal: AbortSignal;
}

/**
 * The part that providers share: merges options over the defaults, cuts long lists by the model's limits, retries, observes (kind
 * 'embedding_model'), links the signal and checks what comes back. A provider writes `doCall`, and `knownDimensions` if it has a table.
 *
 * A call that is aborted rejects at once with `aborted` or, by `AbortSignal.timeout`, with `timeout`. A response with a missing embedding,
 * a number that is not finite, or vectors of different lengths is a `ModelError` with code `model_error`.
 * Source: `AbstractEmbeddingModel` of spring-ai-model.
 *
 * @example
 * class LengthModel extends BaseEmbeddingModel {
 *   readonly provider = 'length';
 *   protected async doCall({ inputs }: EmbeddingModelRequest): Promise<EmbeddingResponse> {
 *     return { embeddings: inputs.map((text, index) => ({ index, vector: Float32Array.of(text.length, 1) })), metadata: { usage: {} } };
 *   }
 * }
 */
export abstract class BaseEmbeddingModel implements EmbeddingModel {
  abstract readonly provider: string;
  /** What a call does not say. {} when none were given. */
  readonly defaultOptions: ResolvedEmbeddingOptions;
  readonly metadataMode: MetadataMode;
  readonly limits: { readonly maxInputs?: number; readonly maxTokens?: number };
  readonly #retry: RetryPolicy | undefined;
  readonly #registry: ObservationRegistry;
  readonly #logger: Logger;
  #dimensions: number | undefined;
  #probe: Promise<number> | undefined;

  constructor(options: BaseEmbeddingModelOptions = {}) {
    this.defaultOptions = merged(undefined, options.defaultOptions);
    this.metadataMode = options.metadataMode ?? 'embed';
    this.limits = options.limits ?? {};
    this.#retry = options.retry?.maxAttempts === 1 ? undefined : options.retry;
    this.#registry = options.observationRegistry ?? noopObservationRegistry;
    this.#logger = safeLogger(options.logger);
  }

  /** One request after the other where the limits ask for more than one; the first that fails ends it. */
  async embed(texts: readonly string[], options?: EmbeddingOptions, context?: CallContext): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const { start, end } of splitByLimits(texts, this.limits)) {
      const { embeddings } = await this.call({ inputs: texts.slice(start, end), options }, context);
      for (const { vector } of embeddings) vectors.push(vector);
    }
    return vectors;
  }

  /** One request, whatever the limits. No inputs, no request: an empty response. */
  async call({ inputs, options: own }: EmbeddingRequest, context?: CallContext): Promise<EmbeddingResponse> {
    const options = merged(this.defaultOptions, own);
    if (inputs.length === 0) return { embeddings: [], metadata: { usage: {} } };
    const link = context?.signal && new LinkedSignal(context.signal);
    const observation = this.#observe(inputs, options, context);
    try {
      const request = { inputs, options, signal: link?.signal ?? neverAborted() };
      const guards = { retry: this.#retry, link, observation, logger: this.#logger };
      const given = await guardedRequest(() => this.doCall(request), guards);
      const response = checkedEmbeddings(given, inputs.length, this.provider, options.dimensions);
      const length = response.embeddings[0]?.vector.length;
      if (options.model === this.defaultOptions.model && options.dimensions === this.defaultOptions.dimensions) {
        this.#dimensions = length;
      }
      const { model, usage } = response.metadata;
      observation?.add({ usage, dimensions: length, ...(model ? { responseModel: model } : undefined) });
      return response;
    } catch (error) {
      observation?.error(error);
      throw error;
    } finally {
      link?.unlink();
      observation?.stop();
    }
  }

  /**
   * Of the default options, else from `knownDimensions`, else what earlier answers had, else one probe; callers without a signal of their
   * own share it.
   */
  async dimensions(context?: CallContext): Promise<number> {
    throwIfAborted(context?.signal);
    const { model, dimensions } = this.defaultOptions;
    const known = dimensions ?? this.knownDimensions(model) ?? this.#dimensions;
    if (known !== undefined) return known;
    const probe = async (): Promise<number> => (await this.embed(['dimensions'], undefined, context))[0]?.length ?? 0;
    if (context?.signal !== undefined) return probe();
    this.#probe ??= probe().finally(() => {
      this.#probe = undefined;
    });
    return this.#probe;
  }

  /** One request to the provider. Heed `request.signal`; embeddings may come in any order. */
  protected abstract doCall(request: EmbeddingModelRequest): Promise<EmbeddingResponse>;

  /** The length of a model's vectors when nobody asks for another. Default: not known. */
  protected knownDimensions(_model: string | undefined): number | undefined {
    return undefined;
  }

  #observe(
    inputs: readonly string[],
    options: ResolvedEmbeddingOptions,
    context: CallContext | undefined,
  ): SafeObservation | undefined {
    if (!this.#registry.enabled) return undefined;
    const { provider } = this;
    return startSafely(this.#registry, () => ({
      kind: 'embedding_model',
      name: options.model ?? provider,
      parent: context?.observation,
      data: {
        provider,
        count: inputs.length,
        ...(options.model === undefined ? undefined : { requestModel: options.model }),
        ...(options.dimensions === undefined ? undefined : { dimensions: options.dimensions }),
        ...(this.#registry.content ? { inputs } : undefined),
      },
    }));
  }
}

/** The rule of all options is one; only the names of the fields differ. */
function merged(base: EmbeddingOptions | undefined, over: EmbeddingOptions | undefined): ResolvedEmbeddingOptions {
  return mergeChatOptions(base, over) as ResolvedEmbeddingOptions;
}
