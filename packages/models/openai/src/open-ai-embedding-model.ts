import {
  BaseEmbeddingModel,
  type BaseEmbeddingModelOptions,
  type EmbeddingModelRequest,
  type EmbeddingResponse,
  isRecord,
} from '@vernal/core';
import {
  begunAt,
  type ModelErrorPlace,
  notTheApi,
  RequestTimeout,
  readAnswer,
  requireApiKey,
} from '@vernal/core/adapter';
import type OpenAI from 'openai';
import { textOf } from './answer-reading.js';
import { answeredEmbedding } from './embedding-vectors.js';
import { derivedOptions, OPEN_AI, type OpenAiConnection, openAiClient } from './open-ai-connection.js';
import { openAiError } from './open-ai-error.js';
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
 * tokens a request. Vectors are asked for as numbers, which every such server can give; base64 is read, too. What stands under
 * `providerOptions.openai` goes into the request body as it is.
 * Source: `OpenAiEmbeddingModel` of Spring AI; https://platform.openai.com/docs/api-reference/embeddings
 *
 * @example
 * const model = new OpenAiEmbeddingModel({ apiKey: process.env.OPENAI_API_KEY });
 * const [vector] = await model.embed(['roses']);
 */
export class OpenAiEmbeddingModel extends BaseEmbeddingModel {
  readonly provider = 'openai';
  readonly #options: OpenAiEmbeddingModelOptions;
  readonly #client: OpenAI;

  constructor(options: OpenAiEmbeddingModelOptions = {}) {
    super({
      limits: { maxInputs: 2048, maxTokens: 300_000 },
      ...options,
      defaultOptions: { ...options.defaultOptions, model: options.defaultOptions?.model ?? 'text-embedding-3-small' },
    });
    requireApiKey(OPEN_AI.name, options);
    this.#options = options;
    this.#client = openAiClient(options);
  }

  /**
   * A model like this one with some options changed, by the rules of `OpenAiChatModel.with`; this one stays as it is.
   *
   * @example
   * const short = model.with({ defaultOptions: { dimensions: 256 } });
   */
  with(change: Partial<OpenAiEmbeddingModelOptions>): OpenAiEmbeddingModel {
    return new OpenAiEmbeddingModel(derivedOptions(this.#options, change));
  }

  protected async doCall({ inputs, options, signal }: EmbeddingModelRequest): Promise<EmbeddingResponse> {
    const model = options.model ?? '';
    const { dimensions } = options;
    const place: ModelErrorPlace = { ...OPEN_AI, model, providerMessages: this.#options.providerMessages ?? false };
    const timeout = new RequestTimeout(this.#client.timeout, signal);
    try {
      const answering = this.#client.embeddings.create(
        {
          model,
          input: [...inputs],
          encoding_format: 'float',
          ...(dimensions === undefined ? {} : { dimensions }),
          ...options.providerOptions?.['openai'],
        },
        { signal: timeout.signal },
      );
      const response = await answering.asResponse();
      const answer: unknown = await timeout.within(answering, begunAt(response));
      return readAnswer(place, () => fromAnswer(answer, place, model));
    } catch (error) {
      throw openAiError(error, place);
    } finally {
      timeout.stop();
    }
  }

  protected override knownDimensions(model: string | undefined): number | undefined {
    return dimensionsByModel[model ?? ''];
  }
}

function fromAnswer(answer: unknown, place: ModelErrorPlace, model: string): EmbeddingResponse {
  if (!isRecord(answer) || !Array.isArray(answer['data'])) throw notTheApi(place);
  const { promptTokens, totalTokens } = openAiUsage(answer['usage']);
  return {
    embeddings: answer['data'].map(answeredEmbedding),
    metadata: {
      model: textOf(answer['model']) ?? model,
      usage: {
        ...(promptTokens === undefined ? {} : { promptTokens }),
        ...(totalTokens === undefined ? {} : { totalTokens }),
      },
    },
  };
}
