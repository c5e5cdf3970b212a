import { ContainsEvaluator, type Evaluator, evaluationResponse } from '@vernal/evaluation';
import { evaluationMatchers } from '@vernal/evaluation/vitest';
import { expect as jestExpect } from 'expect';
import { describe, expect, it } from 'vitest';

expect.extend(evaluationMatchers);
jestExpect.extend(evaluationMatchers);

const evaluator = new ContainsEvaluator({ texts: ['31 days', 'paid'] });
const unclear: Evaluator = {
  name: 'unclear',
  evaluate: async () => evaluationResponse({ verdict: 'inconclusive', feedback: 'who knows' }),
};
const good = { response: '31 days, paid' };
const half = { response: '31 days' };

describe('the matchers', () => {
  it('pass what the evaluator passes, and turn round with not', async () => {
    await expect(good).toPassEvaluator(evaluator);
    await expect(half).not.toPassEvaluator(evaluator);
    await expect(half).toScoreAtLeast(evaluator, 0.5);
    await expect(half).not.toScoreAtLeast(evaluator, 0.51);
  });

  it('fail with verdict, score and reason', async () => {
    await expect(expect(half).toPassEvaluator(evaluator)).rejects.toThrow(
      'contains: fail, score 0.500 (missing: paid)',
    );
    await expect(expect(good).not.toPassEvaluator(evaluator)).rejects.toThrow('contains: pass, score 1.000');
    await expect(expect(half).toScoreAtLeast(evaluator, 0.8)).rejects.toThrow('at least 0.8 is wanted');
  });

  it('fail when nothing was decided, with not as without', async () => {
    await expect(expect(good).toPassEvaluator(unclear)).rejects.toThrow('unclear: inconclusive (who knows)');
    await expect(expect(good).not.toPassEvaluator(unclear)).rejects.toThrow('unclear: inconclusive');
    await expect(expect(good).not.toScoreAtLeast(unclear, 0.5)).rejects.toThrow('unclear: inconclusive');
  });

  it('fail for a verdict and a score that are none, with not as without', async () => {
    const giving = (given: object): Evaluator =>
      ({ name: 'foreign', evaluate: async () => ({ feedback: '', metadata: {}, ...given }) }) as unknown as Evaluator;
    for (const wrong of [{}, { verdict: 'no', score: 0 }, { verdict: 'fail', score: Number.NaN }]) {
      await expect(expect(good).not.toPassEvaluator(giving(wrong))).rejects.toThrow();
      await expect(expect(good).not.toScoreAtLeast(giving(wrong), 0.5)).rejects.toThrow();
    }
    const contradicting = giving({ verdict: 'fail', score: 0, pass: true });
    await expect(expect(good).toPassEvaluator(contradicting)).rejects.toThrow('foreign: fail');
    await expect(expect(good).not.toScoreAtLeast(evaluator, Number.NaN)).rejects.toThrow('from 0 to 1');
  });

  it('are typed', () => {
    // @ts-expect-error: an evaluator is needed
    const without = (): unknown => expect(good).toPassEvaluator();
    // @ts-expect-error: a score is a number
    const wrong = (): unknown => expect(good).toScoreAtLeast(evaluator, 'high');
    expect([typeof without, typeof wrong]).toEqual(['function', 'function']);
  });

  it('are what Jest takes, too', async () => {
    // Their types are vitest's; Jest's own `expect` runs them.
    const jest = (value: unknown) => jestExpect(value) as unknown as ReturnType<typeof expect<unknown>>;
    await jest(good).toPassEvaluator(evaluator);
    await jest(half).not.toPassEvaluator(evaluator);
    await jest(half).toScoreAtLeast(evaluator, 0.5);
    await expect(jest(half).toPassEvaluator(evaluator)).rejects.toThrow('contains: fail');
  });
});
