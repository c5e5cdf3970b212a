import type { CallContext, EmbeddingModel, EmbeddingOptions, EmbeddingRequest, EmbeddingResponse } from '@vernal/core';
import { invalidArgument, throwIfAborted } from '@vernal/core';
import { hashedVector } from './hashed-vector.js';

/** May be left out. */
export interface HashingEmbeddingModelOptions {
  /** 1 to 65,536. Default 64. */
  readonly dimensions?: number | undefined;
}

function checked(dimensions: number): number {
  if (Number.isInteger(dimensions) && dimensions > 0 && dimensions <= 65_536) return dimensions;
  throw invalidArgument('dimensions', 'must be a whole number from 1 to 65,536');
}

/**
 * Deterministic, by hashed words: equal texts equal vectors, shared words nearer, case and punctuation count for nothing. Vectors have
 * length 1; the same on every machine. A request's `dimensions` wins over the model's own. Usage is {}: nothing was counted.
 *
 * @param options.dimensions default 64; outside 1 to 65,536 is `invalid_argument`
 */
export function hashingEmbeddingModel(options: HashingEmbeddingModelOptions = {}): EmbeddingModel {
  const own = checked(options.dimensions ?? 64);
  const embed = async (
    texts: readonly string[],
    request?: EmbeddingOptions,
    context?: CallContext,
  ): Promise<Float32Array[]> => {
    throwIfAborted(context?.signal);
    const dimensions = checked(request?.dimensions ?? own);
    return texts.map((text) => hashedVector(text, dimensions));
  };
  return {
    provider: 'hashing',
    embed,
    async call(request: EmbeddingRequest, context?: CallContext): Promise<EmbeddingResponse> {
      const vectors = await embed(request.inputs, request.options, context);
      return {
        embeddings: vectors.map((vector, index) => ({ vector, index })),
        metadata: { model: request.options?.model ?? `hashing-${request.options?.dimensions ?? own}`, usage: {} },
      };
    },
    async dimensions(context?: CallContext): Promise<number> {
      throwIfAborted(context?.signal);
      return own;
    },
  };
}
