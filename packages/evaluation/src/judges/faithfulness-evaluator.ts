import type { CallContext } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { requireDocuments, requireResponse } from '../request-needs.js';
import { type ClaimEvaluatorOptions, type ClaimSettings, claimSettings } from './claim-evaluator-options.js';
import { shareOfClaims } from './share-of-claims.js';

/**
 * Which of the claims of an answer do the documents support? Needs `documents`. The score is the share of the supported claims; each claim,
 * its verdict and the reason are in `metadata.claims`. One call to list the claims and one for each of them. An answer that claims nothing
 * is 'inconclusive', and so is one whose unclear claims could turn the verdict. Without documents no claim is supported, and nobody is asked.
 *
 * Source: faithfulness in Es et al., RAGAS: Automated Evaluation of Retrieval Augmented Generation, EACL 2024 (arXiv:2309.15217).
 *
 * @example
 * const faithful = new FaithfulnessEvaluator({ model, checker: new FactCheckingEvaluator({ model: miniCheck, mode: 'checker' }) });
 */
export class FaithfulnessEvaluator implements Evaluator {
  readonly name: string;
  readonly #settings: ClaimSettings;

  /** Throws `invalid_argument` for options that cannot be right. */
  constructor(options: ClaimEvaluatorOptions) {
    this.name = options.name ?? 'faithfulness';
    this.#settings = claimSettings(options);
  }

  async evaluate(request: EvaluationRequest, context?: CallContext): Promise<EvaluationResponse> {
    const documents = requireDocuments(request, 'the faithfulness evaluator');
    return shareOfClaims(requireResponse(request), request.userText, documents, this.#settings, context);
  }
}
