import { invalidArgument } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { evaluationResponse } from '../evaluator.js';
import { requireResponse, requireText } from '../request-needs.js';
import { plainText } from './plain-text.js';

/** What has to be in the answer. */
export interface ContainsEvaluatorOptions {
  /** Default: the request's `reference`. */
  readonly texts?: string | readonly string[] | undefined;
  /** 'all' (default) or 'any' of them. */
  readonly wanted?: 'all' | 'any' | undefined;
  /** Default false: case, white space and Unicode forms do not count. */
  readonly exact?: boolean | undefined;
  /** Default 'contains'. */
  readonly name?: string | undefined;
}

/**
 * Are these texts in the answer? Asks no model. The score is the share of the texts that are there, for 'any' 1 or 0; what is missing is in
 * `metadata.missing`.
 *
 * @example
 * new ContainsEvaluator({ texts: ['31 days', 'paid'] });
 */
export class ContainsEvaluator implements Evaluator {
  readonly name: string;
  readonly #texts: readonly string[] | undefined;
  readonly #any: boolean;
  readonly #exact: boolean;

  /** Throws `invalid_argument` for an empty list and for blank texts. */
  constructor({ texts, wanted = 'all', exact = false, name = 'contains' }: ContainsEvaluatorOptions = {}) {
    this.name = name;
    this.#texts = typeof texts === 'string' ? [texts] : texts;
    if (this.#texts !== undefined && (this.#texts.length === 0 || this.#texts.some((text) => text.trim() === ''))) {
      throw invalidArgument('texts', 'must hold at least one text, none of them blank');
    }
    if (wanted !== 'all' && wanted !== 'any') throw invalidArgument('wanted', "must be 'all' or 'any'");
    this.#any = wanted === 'any';
    this.#exact = exact;
  }

  async evaluate(request: EvaluationRequest): Promise<EvaluationResponse> {
    const texts = this.#texts ?? [requireText(request, 'reference', 'the contains evaluator without texts')];
    const bare = this.#exact ? (text: string): string => text : plainText;
    const response = bare(requireResponse(request));
    const missing = texts.filter((text) => !response.includes(bare(text)));
    const found = texts.length - missing.length;
    const pass = this.#any ? found > 0 : missing.length === 0;
    return evaluationResponse({
      verdict: pass ? 'pass' : 'fail',
      score: this.#any ? Number(pass) : found / texts.length,
      feedback: missing.map((text) => `missing: ${text}`).join('\n'),
      metadata: { missing },
    });
  }
}
