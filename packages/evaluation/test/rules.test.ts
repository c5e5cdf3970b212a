import {
  ContainsEvaluator,
  type Evaluator,
  ExactMatchEvaluator,
  evaluationResponse,
  JsonEqualsEvaluator,
  MatchesEvaluator,
} from '@vernal/evaluation';
import { describe, expect, it } from 'vitest';
import { coded } from './samples.js';

const verdictOf = async (evaluator: Evaluator, response: string, reference?: string): Promise<string> =>
  (await evaluator.evaluate({ response, reference })).verdict;

describe('contains', () => {
  it('wants all texts or any of them, without case and white space', async () => {
    const all = new ContainsEvaluator({ texts: ['31 days', 'PAID leave'] });
    expect(await all.evaluate({ response: 'You have 31\n days of paid  leave.' })).toMatchObject({
      pass: true,
      score: 1,
    });
    expect(await all.evaluate({ response: 'You have 31 days.' })).toMatchObject({
      verdict: 'fail',
      score: 0.5,
      metadata: { missing: ['PAID leave'] },
    });
    const any = new ContainsEvaluator({ texts: ['31 days', 'paid leave'], wanted: 'any' });
    expect(await any.evaluate({ response: 'You have 31 days.' })).toMatchObject({ pass: true, score: 1 });
    expect(await verdictOf(any, 'No.')).toBe('fail');
  });

  it('takes the reference when it has no texts, and the exact text when that is wanted', async () => {
    expect(await verdictOf(new ContainsEvaluator(), 'It is 31.', '31')).toBe('pass');
    expect(await verdictOf(new ContainsEvaluator({ texts: 'PAID', exact: true }), 'paid')).toBe('fail');
    await expect(new ContainsEvaluator().evaluate({ response: 'x' })).rejects.toEqual(
      coded('invalid_argument', 'reference'),
    );
  });

  it('refuses what would always pass', () => {
    expect(() => new ContainsEvaluator({ texts: [] })).toThrow(coded('invalid_argument', 'texts'));
    expect(() => new ContainsEvaluator({ texts: ['a', ' '] })).toThrow(coded('invalid_argument', 'texts'));
    expect(() => new ContainsEvaluator({ wanted: 'some' as never })).toThrow(coded('invalid_argument', 'wanted'));
  });
});

describe('exact match', () => {
  it('compares with its text or the reference', async () => {
    expect(await verdictOf(new ExactMatchEvaluator({ text: 'Positive' }), ' positive\n')).toBe('pass');
    expect(await verdictOf(new ExactMatchEvaluator(), 'e\u0301', 'é')).toBe('pass');
    expect(await verdictOf(new ExactMatchEvaluator(), 'positive.', 'positive')).toBe('fail');
    expect(await verdictOf(new ExactMatchEvaluator({ exact: true }), 'Positive', 'positive')).toBe('fail');
  });
});

describe('matches', () => {
  it('gives the same answer every time, whatever the flags', async () => {
    const evaluator = new MatchesEvaluator({ pattern: /\d+ days/g });
    for (let i = 0; i < 3; i++) expect(await verdictOf(evaluator, '31 days')).toBe('pass');
    expect(await verdictOf(evaluator, 'many days')).toBe('fail');
    expect(() => new MatchesEvaluator({ pattern: 'x' as never })).toThrow(coded('invalid_argument', 'pattern'));
  });
});

describe('JSON equals', () => {
  it('compares values, whatever stands around them and however keys are ordered', async () => {
    const evaluator = new JsonEqualsEvaluator({ value: { a: 1, b: [1, 2] } });
    expect(await verdictOf(evaluator, 'Sure:\n```json\n{"b":[1,2],"a":1.0}\n```')).toBe('pass');
    expect(await verdictOf(evaluator, '{"b":[2,1],"a":1}')).toBe('fail');
    expect(await verdictOf(evaluator, '{"b":[1,2],"a":1,"c":null}')).toBe('fail');
    expect((await evaluator.evaluate({ response: 'none' })).feedback).toContain('no JSON');
    expect(await verdictOf(new JsonEqualsEvaluator({ value: null, clean: false }), 'null')).toBe('pass');
  });

  it('takes the reference, which has to be JSON', async () => {
    expect(await verdictOf(new JsonEqualsEvaluator(), '[1]', '[ 1 ]')).toBe('pass');
    await expect(verdictOf(new JsonEqualsEvaluator(), '[1]', 'one')).rejects.toEqual(
      coded('invalid_argument', 'reference'),
    );
  });
});

describe('a response of one’s own', () => {
  it('has a score that goes with its verdict', () => {
    expect(evaluationResponse({ verdict: 'pass' })).toEqual({
      pass: true,
      verdict: 'pass',
      score: 1,
      feedback: '',
      metadata: {},
    });
    expect(evaluationResponse({ verdict: 'fail' }).score).toBe(0);
    expect(evaluationResponse({ verdict: 'inconclusive', score: 0.7 })).toMatchObject({ pass: false, score: 0 });
  });

  it.each([-0.1, 1.1, Number.NaN])('refuses the score %d', (score) => {
    expect(() => evaluationResponse({ verdict: 'pass', score })).toThrow(coded('invalid_argument', 'score'));
  });

  it('refuses a verdict that there is not', () => {
    expect(() => evaluationResponse({ verdict: 'yes' as never })).toThrow(coded('invalid_argument', 'verdict'));
  });
});
