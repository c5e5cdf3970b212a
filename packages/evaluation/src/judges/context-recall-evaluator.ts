import type { CallContext } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { requireDocuments, requireText } from '../request-needs.js';
import { type ClaimEvaluatorOptions, type ClaimSettings, claimSettings } from './claim-evaluator-options.js';
import { shareOfClaims } from './share-of-claims.js';

/**
 * Was all that a right answer needs among the documents that were found? Needs `reference` and `documents`. The score is the share of the
 * reference's claims that the documents support; each is in `metadata.claims`. One call to list the claims and one for each of them.
 *
 * Source: context recall of the ragas library (docs.ragas.io, "Context Recall"), which came after the paper arXiv:2309.15217.
 */
export class ContextRecallEvaluator implements Evaluator {
  readonly name: string;
  readonly #settings: ClaimSettings;

  /** Throws `invalid_argument` for options that cannot be right. */
  constructor(options: ClaimEvaluatorOptions) {
    this.name = options.name ?? 'context-recall';
    this.#settings = claimSettings(options);
  }

  async evaluate(request: EvaluationRequest, context?: CallContext): Promise<EvaluationResponse> {
    const reference = requireText(request, 'reference', 'the context recall evaluator');
    const documents = requireDocuments(request, 'the context recall evaluator');
    return shareOfClaims(reference, request.userText, documents, this.#settings, context);
  }
}
