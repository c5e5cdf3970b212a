import {
  BaseEmbeddingModel,
  type BaseEmbeddingModelOptions,
  type Embedding,
  type EmbeddingModelRequest,
  type EmbeddingResponse,
} from '@vernal/core';
import { changedOptions, modelErrorFrom, reportedCount, requireModel } from '@vernal/core/adapter';
import { defined, fieldsOf, reportedMs, reportedText } from './answer-shape.js';
import { ModelPulls, samePulls } from './model-pulls.js';
import { askOllama, OLLAMA, type OllamaConnection, readBody } from './ollama-connection.js';
import { splitOwnOptions } from './own-options.js';
import type { OllamaPullOptions } from './pull-options.js';
import { throwReported } from './reported-error.js';

/** `defaultOptions` or the call must name a model. */
export interface OllamaEmbeddingModelOptions extends BaseEmbeddingModelOptions, OllamaConnection, OllamaPullOptions {}

/** Own options that stand in the request itself. */
const MEMBERS: ReadonlySet<string> = new Set(['truncate', 'keep_alive']);

/**
 * Embedding models of an Ollama server. A model must be named; there is no default. It is pulled when `pull` says so, and only then.
 * Default limit 512 inputs a request. Texts longer than the model's context are refused rather than cut, unless the option `truncate` is
 * true. `totalDurationMs` and `loadDurationMs` are in the metadata.
 * Source: `OllamaEmbeddingModel` of Spring AI; https://docs.ollama.com/api/embed
 *
 * @example
 * const model = new OllamaEmbeddingModel({ defaultOptions: { model: 'nomic-embed-text' }, pull: 'whenMissing' });
 * const [vector] = await model.embed(['roses']);
 */
export class OllamaEmbeddingModel extends BaseEmbeddingModel {
  readonly provider = 'ollama';
  readonly #options: OllamaEmbeddingModelOptions;
  #pulls: ModelPulls;

  constructor(options: OllamaEmbeddingModelOptions = {}) {
    super({ ...options, limits: options.limits ?? { maxInputs: 512 } });
    this.#options = options;
    this.#pulls = new ModelPulls(options);
  }

  /**
   * A model with other options: those given replace the old ones, and `defaultOptions` are merged over them (undefined keeps, null
   * unsets). This one stays as it is. Models that both have pulled are not pulled anew, unless the change concerns the connection or the
   * pulling.
   *
   * @example
   * const short = model.with({ defaultOptions: { dimensions: 256 } });
   */
  with(change: Partial<OllamaEmbeddingModelOptions>): OllamaEmbeddingModel {
    const derived = new OllamaEmbeddingModel(changedOptions(this.#options, change));
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

  protected async doCall({ inputs, options, signal }: EmbeddingModelRequest): Promise<EmbeddingResponse> {
    const model = requireModel(options.model);
    const { request, parameters } = splitOwnOptions(options.providerOptions?.['ollama'] ?? {}, MEMBERS);
    const body = {
      model,
      input: inputs,
      truncate: false,
      dimensions: options.dimensions,
      ...request,
      ...(Object.keys(parameters).length === 0 ? {} : { options: parameters }),
    };
    const place = { ...OLLAMA, model, providerMessages: this.#options.providerMessages };
    try {
      const pulling = this.#pulls.before(model, signal);
      if (pulling !== undefined) await pulling;
      return await askOllama(this.#options, { method: 'POST', path: '/api/embed', body, signal }, (response) =>
        readBody(response, place, (answer) => embeddingResponse(answer, model)),
      );
    } catch (thrown) {
      const error = modelErrorFrom(thrown, place);
      if (error.code === 'model_not_found') this.#pulls.forget(model);
      throw error;
    }
  }
}

function embeddingResponse(body: unknown, asked: string): EmbeddingResponse {
  const answer = fieldsOf(body);
  throwReported(answer);
  const { embeddings } = answer;
  if (!Array.isArray(embeddings)) throw new TypeError('a list of vectors was expected');
  const tokens = reportedCount(answer['prompt_eval_count']);
  return {
    embeddings: embeddings.map(embedding),
    metadata: {
      model: reportedText(answer['model']) ?? asked,
      usage: tokens === undefined ? {} : { promptTokens: tokens, totalTokens: tokens },
      ...defined({
        totalDurationMs: reportedMs(answer['total_duration']),
        loadDurationMs: reportedMs(answer['load_duration']),
      }),
    },
  };
}

/** Null and texts would become numbers. */
function embedding(vector: unknown, index: number): Embedding {
  if (!Array.isArray(vector) || !vector.every((one) => typeof one === 'number')) {
    throw new TypeError('a list of numbers was expected');
  }
  return { index, vector: Float32Array.from(vector) };
}
