import type { Document } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import { reciprocalRankFusion } from '@vernal/vector-store';
import type { DocumentJoiner, RetrievedDocuments } from './parts.js';
import { distinct, fused } from './rank-lists.js';
import { checkedWeights, weightOf } from './retriever-weights.js';

/** All may be left out. */
export interface ReciprocalRankFusionJoinerOptions {
  /** The higher, the less the first places count more than the next. 0 or more; default 60. */
  readonly k?: number | undefined;
  /** How much each retriever counts, by its place in the advisor's list; 1 for those that are not named. Default 1 each. */
  readonly weights?: readonly number[] | undefined;
}

/**
 * Ranks, not scores, are compared, so it does not matter what the retrievers' scores mean: what stands high in several lists stands
 * highest. A document's score becomes the sum of weight / (k + rank) over all lists, as a share of the best possible: 1 is first in every
 * list, as in the hybrid search of the stores. Ranks are the order in which a retriever gave its documents. Of equal ids the copy of the
 * first retriever is kept, and of its copies the one that scored best; ties are in the same order, whichever query comes first.
 *
 * Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009. No Spring AI class.
 *
 * @example
 * ```ts
 * new RetrievalAugmentationAdvisor({
 *   documentRetriever: [byMeaning, byWords],
 *   documentJoiner: new ReciprocalRankFusionJoiner({ weights: [2, 1] }),
 * });
 * ```
 */
export class ReciprocalRankFusionJoiner implements DocumentJoiner {
  readonly #k: number;
  readonly #weights: readonly number[];

  /** @throws VernalError `invalid_argument` for numbers out of range */
  constructor({ k = 60, weights }: ReciprocalRankFusionJoinerOptions = {}) {
    if (!(k >= 0 && Number.isFinite(k))) throw invalidArgument('k', 'must be a number of at least 0');
    this.#k = k;
    this.#weights = checkedWeights(weights);
  }

  join(results: readonly RetrievedDocuments[]): Document[] {
    const lists = results.map(({ documents }) => Array.from(distinct(documents).keys()));
    const weights = results.map(({ retriever }) => weightOf(this.#weights, retriever));
    return fused(results, reciprocalRankFusion(lists, { k: this.#k, weights }));
  }
}
