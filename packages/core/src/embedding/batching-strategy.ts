import type { Document } from '../documents/document.js';

/** Counts the tokens of a text. Exact ones are in `@vernal/tokenizer`. Source: `TokenCountEstimator` of spring-ai-commons. */
export interface TokenCountEstimator {
  /** A whole number, 0 for ''. The same text always gives the same count. */
  count(text: string): number;
}

/** What goes into one request, in order: nothing lost, nothing twice. Source: `BatchingStrategy` of spring-ai-commons. */
export interface BatchingStrategy {
  /** `embedDocuments` hands over documents whose text is what will really be sent; formatting them once more changes nothing. */
  batch(documents: readonly Document[]): Document[][];
}
