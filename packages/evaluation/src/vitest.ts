import type { EvaluationRequest, EvaluationResponse, Evaluator } from '@vernal/evaluation';
import { evaluationResponse } from '@vernal/evaluation';
import type {} from 'vitest';

/** What a matcher tells its test runner. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Matchers that ask evaluators, for `expect.extend`. A type, not an interface: only types go where a record is wanted. */
export type EvaluationMatchers = {
  toPassEvaluator(received: EvaluationRequest, evaluator: Evaluator): Promise<MatcherResult>;
  toScoreAtLeast(received: EvaluationRequest, evaluator: Evaluator, score: number): Promise<MatcherResult>;
};

/**
 * `expect(request).toPassEvaluator(evaluator)` and `expect(request).toScoreAtLeast(evaluator, 0.8)`, both to be awaited. A verdict that is
 * 'inconclusive' fails either way, with `not` too: a test that could not be judged has not passed. So does a verdict or a score that is none, of an
 * evaluator of your own. The message holds the verdict, the
 * score and the reason, which may quote what was judged.
 *
 * For vitest from 3.2 on, with types. Jest takes the same object.
 *
 * @example
 * expect.extend(evaluationMatchers);
 * await expect({ userText, documents, response }).toPassEvaluator(new RelevancyEvaluator({ model }));
 */
export const evaluationMatchers: EvaluationMatchers = {
  async toPassEvaluator(received, evaluator) {
    const result = await decided(received, evaluator);
    return { pass: result.pass, message: () => `${evaluator.name}: ${told(result)}` };
  },
  async toScoreAtLeast(received, evaluator, score) {
    if (!(score >= 0 && score <= 1)) throw new TypeError(`toScoreAtLeast: the score must be a number from 0 to 1`);
    const result = await decided(received, evaluator);
    const message = (): string => `${evaluator.name}: ${told(result)}; at least ${score} is wanted`;
    return { pass: result.score >= score, message };
  },
};

/** Thrown, since a matcher's own 'no' would be a yes under `not`. */
async function decided(request: EvaluationRequest, evaluator: Evaluator): Promise<EvaluationResponse> {
  const result = evaluationResponse(await evaluator.evaluate(request));
  if (result.verdict !== 'inconclusive') return result;
  throw new Error(`${evaluator.name}: ${told(result)}`);
}

function told({ verdict, score, feedback }: EvaluationResponse): string {
  const value = verdict === 'inconclusive' ? '' : `, score ${score.toFixed(3)}`;
  return `${verdict}${value}${feedback === '' ? '' : ` (${feedback})`}`;
}

/** What `expect` has with these matchers. */
interface EvaluationAssertions {
  /** Awaits the evaluator's verdict. */
  toPassEvaluator(evaluator: Evaluator): Promise<void>;
  /** Awaits the evaluator's score; `score` is inclusive. */
  toScoreAtLeast(evaluator: Evaluator, score: number): Promise<void>;
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: has to repeat the type parameter of vitest's own interface
  interface Matchers<T = any> extends EvaluationAssertions {}
}
