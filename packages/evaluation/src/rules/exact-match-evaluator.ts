import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { evaluationResponse } from '../evaluator.js';
import { requireResponse, requireText } from '../request-needs.js';
import { plainText } from './plain-text.js';

/** What counts as the same. */
export interface ExactMatchEvaluatorOptions {
  /** Default: the request's `reference`. */
  readonly text?: string | undefined;
  /** Default false: case, white space and Unicode forms do not count. */
  readonly exact?: boolean | undefined;
  /** Default 'exact-match'. */
  readonly name?: string | undefined;
}

/** Is the answer this text? Asks no model. For classes, numbers and names; for sentences see `AnswerSimilarityEvaluator`. */
export class ExactMatchEvaluator implements Evaluator {
  readonly name: string;
  readonly #text: string | undefined;
  readonly #exact: boolean;

  constructor({ text, exact = false, name = 'exact-match' }: ExactMatchEvaluatorOptions = {}) {
    this.name = name;
    this.#text = text;
    this.#exact = exact;
  }

  async evaluate(request: EvaluationRequest): Promise<EvaluationResponse> {
    const wanted = this.#text ?? requireText(request, 'reference', 'the exact match evaluator without a text');
    const response = requireResponse(request);
    const same = this.#exact ? response === wanted : plainText(response) === plainText(wanted);
    return evaluationResponse({ verdict: same ? 'pass' : 'fail' });
  }
}
