import type { Document } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import type { DocumentPostProcessor } from './parts.js';
import { scoreOf } from './rank-lists.js';

/** What is kept of a list. Both may be left out. */
export interface DocumentCut {
  /** How many, at most. Default: all. */
  readonly topN?: number | undefined;
  /** Scores that are kept: it and higher ones. A document without a score is kept: nothing speaks against it. Default: all. */
  readonly minScore?: number | undefined;
}

/** Throws `invalid_argument` for numbers out of range. */
export function checkedCut({ topN, minScore }: DocumentCut): DocumentCut {
  if (topN !== undefined && (!Number.isSafeInteger(topN) || topN < 1))
    throw invalidArgument('topN', 'must be a whole number, at least 1; leave it out for all');
  if (minScore !== undefined && !Number.isFinite(minScore))
    throw invalidArgument('minScore', 'must be a finite number; leave it out to keep all');
  return { topN, minScore };
}

export function cutDocuments(
  documents: readonly Document[],
  { topN, minScore = Number.NEGATIVE_INFINITY }: DocumentCut,
): Document[] {
  return documents.filter((document) => (scoreOf(document) ?? minScore) >= minScore).slice(0, topN);
}

/**
 * Keeps the first `topN` documents, of those that score at least `minScore`, in their order. Put it behind what sets the scores: those of
 * retrievers of several kinds have no common scale.
 *
 * @throws VernalError `invalid_argument` for numbers out of range
 * @example
 * ```ts
 * documentPostProcessors: [topDocuments({ topN: 5, minScore: 0.4 })];
 * ```
 */
export function topDocuments(cut: DocumentCut): DocumentPostProcessor {
  const checked = checkedCut(cut);
  return { process: (_query, documents) => cutDocuments(documents, checked) };
}
