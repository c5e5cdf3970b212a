import type { JsonInput } from '@vernal/core';
import { canonicalJson, defaultCleaners, invalidArgument } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { evaluationResponse } from '../evaluator.js';
import { requireResponse, requireText } from '../request-needs.js';

/** What the answer has to hold. */
export interface JsonEqualsEvaluatorOptions {
  /** Default: the request's `reference`, which then has to be JSON text. */
  readonly value?: JsonInput | undefined;
  /** Default true: fences, thoughts and prose around the JSON of the answer do not count. */
  readonly clean?: boolean | undefined;
  /** Default 'json-equals'. */
  readonly name?: string | undefined;
}

/**
 * Is the answer this JSON value? Asks no model. The order of keys does not count, that of lists does. An answer that is no JSON fails.
 *
 * @example
 * new JsonEqualsEvaluator({ value: { city: 'Delft', degrees: 20 } });
 */
export class JsonEqualsEvaluator implements Evaluator {
  readonly name: string;
  readonly #value: string | undefined;
  readonly #clean: boolean;

  /** Throws `invalid_argument` for a value that is no JSON. */
  constructor({ value, clean = true, name = 'json-equals' }: JsonEqualsEvaluatorOptions = {}) {
    this.name = name;
    this.#value = value === undefined ? undefined : canonicalJson(value);
    this.#clean = clean;
  }

  async evaluate(request: EvaluationRequest): Promise<EvaluationResponse> {
    const wanted = this.#value ?? canonical(requireText(request, 'reference', 'the JSON evaluator without a value'));
    if (wanted === undefined) throw invalidArgument('reference', 'must be JSON text');
    const response = requireResponse(request);
    const cleaned = this.#clean ? defaultCleaners.reduce((text, clean) => clean(text), response) : response;
    const given = canonical(cleaned);
    return evaluationResponse({
      verdict: given === wanted ? 'pass' : 'fail',
      feedback: given === undefined ? 'The answer is no JSON.' : '',
    });
  }
}

/** Undefined for what is no JSON. */
function canonical(text: string): string | undefined {
  try {
    const value: JsonInput = JSON.parse(text);
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}
