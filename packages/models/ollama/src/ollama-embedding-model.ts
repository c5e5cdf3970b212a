import {
  BaseEmbeddingModel,
  type BaseEmbeddingModelOptions,
  type EmbeddingModelRequest,
  type EmbeddingResponse,
  modelErrorFrom,
  notTheApi,
  requireModel,
} from '@vernal/core';
import { OLLAMA, type OllamaConnection, postToOllama } from './ollama-connection.js';

/** `defaultOptions` or the call must name a model. */
export interface OllamaEmbeddingModelOptions extends BaseEmbeddingModelOptions, OllamaConnection {}

interface OllamaEmbeddings {
  readonly model?: string;
  readonly embeddings?: readonly (readonly number[])[];
  readonly prompt_eval_count?: number;
}

/**
 * Embedding models of an Ollama server. A model must be named; there is no default. Default limit 512 inputs a request. Texts longer than
 * the model's context are refused rather than cut, unless `providerOptions.ollama.truncate` is true.
 * Source: `OllamaEmbeddingModel` of Spring AI; https://docs.ollama.com/api/embed
 *
 * @example
 * const model = new OllamaEmbeddingModel({ defaultOptions: { model: 'nomic-embed-text' } });
 * const [vector] = await model.embed(['roses']);
 */
export class OllamaEmbeddingModel extends BaseEmbeddingModel {
  readonly provider = 'ollama';
  readonly #connection: OllamaConnection;
  readonly #providerMessages: boolean;

  constructor(options: OllamaEmbeddingModelOptions = {}) {
    super({ limits: { maxInputs: 512 }, ...options });
    this.#connection = options;
    this.#providerMessages = options.providerMessages ?? false;
  }

  protected async doCall({ inputs, options, signal }: EmbeddingModelRequest): Promise<EmbeddingResponse> {
    const model = requireModel(options.model);
    try {
      const body = {
        model,
        input: inputs,
        truncate: false,
        dimensions: options.dimensions,
        ...options.providerOptions?.['ollama'],
      };
      const response = await postToOllama(this.#connection, '/api/embed', body, signal);
      const { embeddings, prompt_eval_count: tokens, model: used } = (await response.json()) as OllamaEmbeddings;
      if (!Array.isArray(embeddings)) throw notTheApi({ ...OLLAMA, model });
      return {
        embeddings: embeddings.map((vector, index) => ({ index, vector: Float32Array.from(vector) })),
        metadata: {
          model: used ?? model,
          usage: tokens === undefined ? {} : { promptTokens: tokens, totalTokens: tokens },
        },
      };
    } catch (error) {
      if (error instanceof SyntaxError) throw notTheApi({ ...OLLAMA, model });
      throw modelErrorFrom(error, { ...OLLAMA, model, providerMessages: this.#providerMessages });
    }
  }
}
