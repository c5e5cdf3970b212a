import type { BatchingStrategy, Document, MetadataMode, TokenCountEstimator } from '@vernal/core';

export interface TokenCountBatchingOptions {
  readonly estimator: TokenCountEstimator;
  /** Default 8,191. */
  readonly maxTokens?: number | undefined;
  /** 0 <= reserve < 1. Default 0.1, so 7,372 tokens. */
  readonly reserve?: number | undefined;
  /** Default none. */
  readonly maxInputs?: number | undefined;
  /** Default 'embed': what is counted is what is sent. */
  readonly metadataMode?: MetadataMode | undefined;
}

/** In `@vernal/tokenizer`. One document above the limit is a `BatchError` that names it, before anything is sent. */
export declare class TokenCountBatchingStrategy implements BatchingStrategy {
  constructor(options: TokenCountBatchingOptions);
  batch(documents: readonly Document[]): Document[][];
}
