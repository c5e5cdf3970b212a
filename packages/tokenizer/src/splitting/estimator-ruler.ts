import type { TokenCountEstimator } from '@vernal/core';
import { isSurrogatePair } from '../encoding/utf8.js';
import type { TokenRuler } from './token-ruler.js';

/** A window that holds this share of its budget is good enough; the last few tokens would cost as many counts again. */
const FULL_ENOUGH = 0.95;

/** For estimators that only count: guesses a length by the ratio so far, counts, and corrects. */
export function estimatorRuler(text: string, estimator: TokenCountEstimator): TokenRuler {
  let unitsPerToken = 4;
  let start = 0;

  const count = (from: number, end: number): number => estimator.count(text.slice(from, end));
  const boundary = (index: number): number => (index > 0 && isSurrogatePair(text, index - 1) ? index - 1 : index);

  /** The longest length up to `longest` that is not above the budget, or nearly; 0 when none is. */
  function longestFit(longest: number, budget: number, countOf: (length: number) => number): number {
    let fits = 0;
    let tooLong = longest + 1;
    let guess = Math.min(longest, Math.max(1, Math.round(budget * unitsPerToken)));
    while (fits < tooLong - 1) {
      const tokens = countOf(guess);
      const scaled = Math.floor((guess * budget) / Math.max(tokens, 1));
      if (tokens <= budget) {
        fits = guess;
        if (tokens > 0) unitsPerToken = guess / tokens;
        if (tokens >= budget * FULL_ENOUGH) break;
        guess = Math.max(scaled, fits + 1);
      } else {
        tooLong = guess;
        guess = Math.min(scaled, tooLong - 1);
      }
      // Outside of what is still open, halving it always ends.
      if (guess <= fits || guess >= tooLong) guess = fits + Math.ceil((tooLong - fits) / 2);
      guess = Math.min(guess, tooLong - 1);
    }
    return fits;
  }

  return {
    fit(from, budget) {
      start = from;
      const length = longestFit(text.length - from, budget, (units) => count(from, boundary(from + units)));
      const end = boundary(from + length);
      return end > from ? end : from + (isSurrogatePair(text, from) ? 2 : 1);
    },
    count,
    back(end, budget) {
      const length = longestFit(end - start, budget, (units) => count(boundary(end - units), end));
      // `boundary` moves left; a start moves right, so that it stays within the budget.
      const from = end - length;
      return boundary(from) === from ? from : from + 1;
    },
  };
}
