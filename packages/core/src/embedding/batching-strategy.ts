import type { Document } from '../documents/document.js';

export interface TokenCountEstimator {
  count(text: string): number;
}

/** What goes into one request, in order: nothing lost, nothing twice. */
export interface BatchingStrategy {
  batch(documents: readonly Document[]): Document[][];
}
