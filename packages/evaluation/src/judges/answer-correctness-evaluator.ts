import type { CallContext, Document } from '@vernal/core';
import { document } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator, Verdict } from '../evaluator.js';
import { evaluationResponse, scored } from '../evaluator.js';
import { passMark, requireResponse, requireText } from '../request-needs.js';
import { type ClaimEvaluatorOptions, type ClaimSettings, claimSettings } from './claim-evaluator-options.js';
import { claimsOf } from './claims.js';
import { addSpending, type Spending } from './spending.js';
import { type CheckedClaim, checkClaims } from './supported-claims.js';

type Checked = Spending & { readonly claims: readonly CheckedClaim[] | undefined };

/**
 * Does the answer say what the reference says, no more and no less? Needs `reference`. Both are taken apart into claims, and each claim is
 * checked against the other text: claims of the answer that hold are true positives (TP), those that do not are false positives (FP), claims of
 * the reference that the answer lacks are false negatives (FN). The score is F1 = TP / (TP + (FP + FN) / 2); the counts are in the metadata.
 * Two calls to list the claims and one for each. 'inconclusive' when a claim is unclear, or when one of the texts claims nothing.
 *
 * `passAt` is 0.75 unless it is given. Source: the factual part of answer correctness in the ragas library (docs.ragas.io, "Factual Correctness").
 */
export class AnswerCorrectnessEvaluator implements Evaluator {
  readonly name: string;
  readonly #settings: ClaimSettings;
  readonly #passAt: number;

  /** Throws `invalid_argument` for options that cannot be right. */
  constructor(options: ClaimEvaluatorOptions) {
    this.name = options.name ?? 'answer-correctness';
    this.#settings = claimSettings(options);
    this.#passAt = passMark(options.passAt, 0.75);
  }

  async evaluate(request: EvaluationRequest, context?: CallContext): Promise<EvaluationResponse> {
    const reference = requireText(request, 'reference', 'the answer correctness evaluator');
    const response = requireResponse(request);
    if (response.trim() === '') return evaluationResponse({ verdict: 'fail', feedback: 'There is no answer.' });
    const { userText } = request;
    const said = await this.#check(response, reference, userText, context);
    const wanted = await this.#check(reference, response, userText, context);
    const spent = addSpending([said, wanted]);
    const claims = [...(said.claims ?? []), ...(wanted.claims ?? [])];
    const isUnclear = !said.claims?.length || !wanted.claims?.length || holds(claims, 'inconclusive').length > 0;
    if (isUnclear) {
      const feedback = 'The claims of the answer and of the reference could not all be compared.';
      return evaluationResponse({ verdict: 'inconclusive', feedback, ...spent });
    }
    const [right, wrong, missing] = [
      holds(said.claims ?? [], 'pass'),
      holds(said.claims ?? [], 'fail'),
      holds(wanted.claims ?? [], 'fail'),
    ];
    const score = right.length / (right.length + (wrong.length + missing.length) / 2);
    return evaluationResponse({
      ...scored(score, this.#passAt),
      feedback: [
        ...wrong.map((claim) => `not in the reference: ${claim}`),
        ...missing.map((claim) => `missing: ${claim}`),
      ].join('\n'),
      metadata: {
        truePositives: right.length,
        falsePositives: wrong.length,
        falseNegatives: missing.length,
        wrong,
        missing,
      },
      ...spent,
    });
  }

  async #check(text: string, against: string, query: string | undefined, context?: CallContext): Promise<Checked> {
    const { value: claims, ...listing } = await claimsOf(this.#settings.judge, text, query, context);
    if (claims === undefined) return { claims, ...listing };
    const documents: Document[] = [document(against)];
    const { claims: checked, ...checking } = await checkClaims(claims, documents, this.#settings, context);
    return { claims: checked, ...addSpending([listing, checking]) };
  }
}

function holds(claims: readonly CheckedClaim[], verdict: Verdict): string[] {
  return claims.filter((one) => one.verdict === verdict).map(({ claim }) => claim);
}
