import type { Document } from '@vernal/core';
import type { DocumentJoiner, RetrievedDocuments } from './parts.js';
import { distinct, fused, scoreOf } from './rank-lists.js';
import { checkedWeights, weightOf } from './retriever-weights.js';

/** All may be left out. */
export interface RelativeScoreFusionJoinerOptions {
  /** How much each retriever counts, by its place in the advisor's list; 1 for those that are not named. Default 1 each. */
  readonly weights?: readonly number[] | undefined;
}

/** 1 for the best of a list, 0 for the worst. */
function relativeScores(documents: readonly Document[]): number[] {
  const scores = documents.map(scoreOf);
  const known = scores.filter((score) => score !== undefined);
  // Nobody scored: the order is all there is.
  if (known.length === 0) return documents.map((_, rank) => 1 - rank / documents.length);
  const least = known.reduce((a, b) => Math.min(a, b));
  const most = known.reduce((a, b) => Math.max(a, b));
  return scores.map((score) => {
    if (score === undefined) return 0;
    // By halves, so that the distance of the largest numbers is a number.
    return most === least ? 1 : (score / 2 - least / 2) / (most / 2 - least / 2);
  });
}

/**
 * Scores are compared after those of each list were spread over 0 to 1, its worst to its best, so it does not matter in which scale a
 * retriever scores: a document's score becomes the weighted mean over all lists, where 1 is best in every list. Other than
 * `ReciprocalRankFusionJoiner` it sees how far apart two neighbours in a list are, but also takes the best of a poor list for as good as
 * that of a good one.
 *
 * Where all scores of a list are equal, as in a list of one, all count as 1; a document without a score among others that have one counts
 * as 0; in a list without any score the places count, evenly from 1 down. A document that a list does not hold counts as 0 there. Of equal
 * ids the copy of the first retriever is kept, and of its copies the one that scored best; ties are in the same order.
 *
 * No Spring AI class; search engines call it relative score fusion or min-max normalisation.
 */
export class RelativeScoreFusionJoiner implements DocumentJoiner {
  readonly #weights: readonly number[];

  /** @throws VernalError `invalid_argument` for weights below 0 */
  constructor({ weights }: RelativeScoreFusionJoinerOptions = {}) {
    this.#weights = checkedWeights(weights);
  }

  join(results: readonly RetrievedDocuments[]): Document[] {
    const weights = results.map(({ retriever }) => weightOf(this.#weights, retriever));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const sums = new Map<string, number>();
    for (const [at, result] of results.entries()) {
      const documents = Array.from(distinct(result.documents).values());
      const share = total === 0 ? 0 : (weights[at] ?? 0) / total;
      for (const [rank, score] of relativeScores(documents).entries()) {
        const id = documents[rank]?.id ?? '';
        sums.set(id, (sums.get(id) ?? 0) + share * score);
      }
    }
    return fused(results, sums);
  }
}
