import type { Document } from '@vernal/core';
import type { DocumentPostProcessor } from './parts.js';

/**
 * Puts the best documents first and last and the weakest in the middle, where models overlook things most: of 1 to 5, best first, it makes
 * 1, 3, 5, 4, 2. Put it last: what follows takes the first for the best.
 *
 * Source: Liu et al., "Lost in the Middle: How Language Models Use Long Contexts", arXiv:2307.03172. No Spring AI class.
 */
export function lostInTheMiddle(): DocumentPostProcessor {
  return {
    process: (_query, documents) => {
      const first: Document[] = [];
      const last: Document[] = [];
      for (const [rank, document] of documents.entries()) (rank % 2 === 0 ? first : last).push(document);
      return [...first, ...last.reverse()];
    },
  };
}
