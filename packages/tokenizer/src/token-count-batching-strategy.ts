import type { BatchingStrategy, Document, MetadataMode, TokenCountEstimator } from '@vernal/core';
import { BatchError, formatDocument, invalidArgument } from '@vernal/core';

/** How much a batch may hold. Out of range is `invalid_argument`. */
export interface TokenCountBatchingOptions {
  /** Counts as the embedding model does: `loadTokenCountEstimator()` for OpenAI's. */
  readonly estimator: TokenCountEstimator;
  /** Tokens of one batch before the reserve. Default 8,191. */
  readonly maxTokens?: number | undefined;
  /** The share of `maxTokens` that is left free; 0 <= reserve < 1. Default 0.1, so 7,372 tokens. */
  readonly reserve?: number | undefined;
  /** Documents of one batch. Default none. */
  readonly maxInputs?: number | undefined;
  /** Default 'embed': what is counted is what is sent. */
  readonly metadataMode?: MetadataMode | undefined;
}

/**
 * Fills batches in order up to a sum of tokens and a number of documents. Nothing is reordered, dropped or sent twice; a batch may be
 * exactly full. One document above the limit is a `BatchError` that names it, before anything is sent.
 *
 * Source: Spring AI's `TokenCountBatchingStrategy`.
 *
 * @throws VernalError `invalid_argument` (constructor) for limits out of range
 * @throws BatchError `invalid_argument` (batch) with the ids of documents that are too long
 *
 * @example
 * const batching = new TokenCountBatchingStrategy({ estimator: await loadTokenCountEstimator(), maxInputs: 96 });
 * const batches = batching.batch(documents);
 */
export class TokenCountBatchingStrategy implements BatchingStrategy {
  readonly #settings: Settings;

  constructor(options: TokenCountBatchingOptions) {
    this.#settings = resolve(options);
  }

  batch(documents: readonly Document[]): Document[][] {
    const { estimator, tokens, inputs, mode } = this.#settings;
    const sizes = documents.map((document) => estimator.count(formatDocument(document, mode)));
    requireFit(documents, sizes, tokens);
    const batches: Document[][] = [];
    let batch: Document[] = [];
    let sum = 0;
    documents.forEach((document, index) => {
      const size = sizes[index] ?? 0;
      if (batch.length > 0 && (sum + size > tokens || batch.length >= inputs)) {
        batches.push(batch);
        batch = [];
        sum = 0;
      }
      batch.push(document);
      sum += size;
    });
    if (batch.length > 0) batches.push(batch);
    return batches;
  }
}

interface Settings {
  readonly estimator: TokenCountEstimator;
  readonly tokens: number;
  readonly inputs: number;
  readonly mode: MetadataMode;
}

function resolve({
  estimator,
  maxTokens = 8191,
  reserve = 0.1,
  maxInputs,
  metadataMode = 'embed',
}: TokenCountBatchingOptions): Settings {
  if (typeof estimator?.count !== 'function')
    throw invalidArgument('estimator', 'pass `await loadTokenCountEstimator()` or an object with count(text)');
  if (!(Number.isInteger(maxTokens) && maxTokens > 0))
    throw invalidArgument('maxTokens', 'must be a whole number above 0');
  if (!(reserve >= 0 && reserve < 1)) throw invalidArgument('reserve', 'must be at least 0 and below 1');
  if (maxInputs !== undefined && !(Number.isInteger(maxInputs) && maxInputs > 0))
    throw invalidArgument('maxInputs', 'must be a whole number above 0');
  return {
    estimator,
    tokens: Math.round(maxTokens * (1 - reserve)),
    inputs: maxInputs ?? Number.POSITIVE_INFINITY,
    mode: metadataMode,
  };
}

function requireFit(documents: readonly Document[], sizes: readonly number[], tokens: number): void {
  const tooLong = documents.filter((_, index) => (sizes[index] ?? 0) > tokens).map((document) => document.id);
  if (tooLong.length === 0) return;
  const count = `${tooLong.length} of ${documents.length} documents`;
  throw new BatchError(
    `${count} have more than ${tokens} tokens. Split them first, for example with a TokenTextSplitter`,
    {
      code: 'invalid_argument',
      subject: 'documents',
      failedIds: tooLong,
    },
  );
}
