import { invalidArgument } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { evaluationResponse } from '../evaluator.js';
import { requireResponse } from '../request-needs.js';

/** What the answer has to look like. */
export interface MatchesEvaluatorOptions {
  /** Anchor it with `^` and `$` when it is about the whole answer. Yours, not a user's: some expressions take forever. */
  readonly pattern: RegExp;
  /** Default 'matches'. */
  readonly name?: string | undefined;
}

/** Does the answer match a regular expression? Asks no model. */
export class MatchesEvaluator implements Evaluator {
  readonly name: string;
  readonly #pattern: RegExp;

  /** Throws `invalid_argument` without an expression. */
  constructor({ pattern, name = 'matches' }: MatchesEvaluatorOptions) {
    if (!(pattern instanceof RegExp)) throw invalidArgument('pattern', 'must be a regular expression');
    this.name = name;
    // With these flags an expression remembers where it was, and the same answer matches only every other time.
    this.#pattern = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  }

  async evaluate(request: EvaluationRequest): Promise<EvaluationResponse> {
    return evaluationResponse({ verdict: this.#pattern.test(requireResponse(request)) ? 'pass' : 'fail' });
  }
}
