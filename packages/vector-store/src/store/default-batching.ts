import type { BatchingStrategy, DocumentEmbeddingModel, EmbeddingModel } from '@vernal/core';

/**
 * A model that limits the tokens of a request gets exact counts. They need a table of some megabytes, so it is loaded here, by the first
 * add of a store that was given no strategy; without such a limit, or with a strategy, never.
 */
export async function defaultBatching(
  model: EmbeddingModel | DocumentEmbeddingModel,
): Promise<BatchingStrategy | undefined> {
  const limits = 'embed' in model ? model.limits : undefined;
  if (limits?.maxTokens === undefined) return undefined;
  const { loadTokenCountEstimator, TokenCountBatchingStrategy } = await import('@vernal/tokenizer');
  return new TokenCountBatchingStrategy({
    estimator: await loadTokenCountEstimator(),
    maxTokens: limits.maxTokens,
    maxInputs: limits.maxInputs,
    metadataMode: 'embed' in model ? model.metadataMode : undefined,
  });
}
