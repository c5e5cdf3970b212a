import {
  BaseEmbeddingModel,
  type BaseEmbeddingModelOptions,
  type EmbeddingModelRequest,
  type EmbeddingResponse,
  modelErrorFrom,
  notTheApi,
  requireApiKey,
} from '@vernal/core';
import type OpenAI from 'openai';
import { OPEN_AI, type OpenAiConnection, openAiClient } from './open-ai-connection.js';
import { openAiUsage } from './open-ai-usage.js';

/** Needs `apiKey`, `client`, or the `baseURL` of a server that wants no key. */
export interface OpenAiEmbeddingModelOptions extends BaseEmbeddingModelOptions, OpenAiConnection {}

const dimensionsByModel: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
};

/**
 * Embeddings of OpenAI, and of servers that speak its API. Default model 'text-embedding-3-small', default limits 2,048 inputs and 300,000
 * tokens a request. Vectors are asked for as numbers, which every such server can give.
 * Source: `OpenAiEmbeddingModel` of Spring AI; https://platform.openai.com/docs/api-reference/embeddings
 *
 * @example
 * const model = new OpenAiEmbeddingModel({ apiKey: process.env.OPENAI_API_KEY });
 * const [vector] = await model.embed(['roses']);
 */
export class OpenAiEmbeddingModel extends BaseEmbeddingModel {
  readonly provider = 'openai';
  readonly #client: OpenAI;
  readonly #providerMessages: boolean;

  constructor(options: OpenAiEmbeddingModelOptions = {}) {
    super({
      limits: { maxInputs: 2048, maxTokens: 300_000 },
      ...options,
      defaultOptions: { ...options.defaultOptions, model: options.defaultOptions?.model ?? 'text-embedding-3-small' },
    });
    requireApiKey(OPEN_AI.name, options);
    this.#client = openAiClient(options);
    this.#providerMessages = options.providerMessages ?? false;
  }

  protected async doCall({ inputs, options, signal }: EmbeddingModelRequest): Promise<EmbeddingResponse> {
    const model = options.model ?? '';
    try {
      const { data, usage, ...rest } = await this.#client.embeddings.create(
        {
          model,
          input: [...inputs],
          encoding_format: 'float',
          ...(options.dimensions === undefined ? {} : { dimensions: options.dimensions }),
          ...options.providerOptions?.['openai'],
        },
        { signal },
      );
      if (!Array.isArray(data)) throw notTheApi({ ...OPEN_AI, model });
      return {
        embeddings: data.map((one, position) => ({
          index: one.index ?? position,
          vector: Float32Array.from(one.embedding),
        })),
        metadata: { model: rest.model ?? model, usage: definedCounters(usage) },
      };
    } catch (error) {
      throw modelErrorFrom(error, { ...OPEN_AI, model, providerMessages: this.#providerMessages });
    }
  }

  protected override knownDimensions(model: string | undefined): number | undefined {
    return dimensionsByModel[model ?? ''];
  }
}

function definedCounters(usage: Parameters<typeof openAiUsage>[0]): EmbeddingResponse['metadata']['usage'] {
  const { promptTokens, totalTokens } = openAiUsage(usage);
  return {
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(totalTokens === undefined ? {} : { totalTokens }),
  };
}
