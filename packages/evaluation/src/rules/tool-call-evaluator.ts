import { invalidArgument } from '@vernal/core';
import type { EvaluationRequest, EvaluationResponse, Evaluator } from '../evaluator.js';
import { evaluationResponse } from '../evaluator.js';
import {
  type ArgumentMatching,
  type ExpectedToolCall,
  isCallOf,
  type MadeToolCall,
  pairsInAnyOrder,
  pairsInOrder,
} from './tool-call-matching.js';

/** What counts as the right calls. */
export interface ToolCallEvaluatorOptions {
  /** Default: the request's `expectedToolCalls`. [] wants no call at all. */
  readonly expected?: readonly ExpectedToolCall[] | undefined;
  /** 'any' (default) or 'given': the calls have to come in the order of the list. */
  readonly order?: 'any' | 'given' | undefined;
  /** Calls that nobody expected: 'refuse' (default) or 'allow'. */
  readonly others?: 'refuse' | 'allow' | undefined;
  /** Default 'equal'; the order of keys never counts. */
  readonly arguments?: ArgumentMatching | undefined;
  /** Default 'tool-calls'. */
  readonly name?: string | undefined;
}

/**
 * Were the right tools called with the right arguments? Asks no model. Needs `toolCalls`. Passes when every expected call was made once, and,
 * unless others are allowed, nothing else. The score is the number of pairs over that of the expected calls or of the calls made, whichever is
 * larger (others allowed: of the expected calls). Names of what is missing and of what nobody expected are in the metadata.
 *
 * @example
 * new ToolCallEvaluator({ expected: [{ name: 'weather', arguments: { city: 'Delft' } }], arguments: 'subset' });
 */
export class ToolCallEvaluator implements Evaluator {
  readonly name: string;
  readonly #expected: readonly ExpectedToolCall[] | undefined;
  readonly #inOrder: boolean;
  readonly #allowsOthers: boolean;
  readonly #matching: ArgumentMatching;

  /** Throws `invalid_argument` for settings that there are not. */
  constructor(options: ToolCallEvaluatorOptions = {}) {
    const { expected, order = 'any', others = 'refuse', arguments: matching = 'equal', name = 'tool-calls' } = options;
    if (order !== 'any' && order !== 'given') throw invalidArgument('order', "must be 'any' or 'given'");
    if (others !== 'refuse' && others !== 'allow') throw invalidArgument('others', "must be 'refuse' or 'allow'");
    if (!['equal', 'subset', 'ignore'].includes(matching)) {
      throw invalidArgument('arguments', "must be 'equal', 'subset' or 'ignore'");
    }
    this.name = name;
    this.#expected = expected;
    this.#inOrder = order === 'given';
    this.#allowsOthers = others === 'allow';
    this.#matching = matching;
  }

  async evaluate(request: EvaluationRequest): Promise<EvaluationResponse> {
    const made = request.toolCalls;
    const expected = this.#expected ?? request.expectedToolCalls;
    if (made === undefined) throw invalidArgument('toolCalls', 'the tool call evaluator needs them: give [] for none');
    if (expected === undefined) {
      throw invalidArgument('expectedToolCalls', 'the tool call evaluator needs them, or its option expected');
    }
    const pairs = this.#pairs(expected, made);
    const used = new Set(pairs);
    const missing = expected.filter((_, index) => pairs[index] === undefined).map(({ name }) => name);
    const unexpected = made.filter((_, index) => !used.has(index)).map(({ name }) => name);
    const pass = missing.length === 0 && (this.#allowsOthers || unexpected.length === 0);
    const all = this.#allowsOthers ? expected.length : Math.max(expected.length, made.length);
    return evaluationResponse({
      verdict: pass ? 'pass' : 'fail',
      score: all === 0 ? 1 : (expected.length - missing.length) / all,
      feedback: [...missing.map((name) => `missing: ${name}`), ...unexpected.map((name) => `other: ${name}`)].join(
        '\n',
      ),
      metadata: { missing, unexpected, expected: expected.length, made: made.length },
    });
  }

  #pairs(expected: readonly ExpectedToolCall[], made: readonly MadeToolCall[]): (number | undefined)[] {
    const fits = expected.map((one) => made.map((call) => isCallOf(one, call, this.#matching)));
    return this.#inOrder ? pairsInOrder(fits, made.length) : pairsInAnyOrder(fits);
  }
}
