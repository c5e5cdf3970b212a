import { compareRuns, type EvaluationRun, evaluationResponse } from '@vernal/evaluation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coded } from './samples.js';

type Scores = Readonly<Record<string, number | undefined>>;
/** A run with one evaluator; undefined is a verdict that is inconclusive. */
const runOf = (scores: Scores, evaluator = 'e'): EvaluationRun => ({
  version: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  spent: {},
  summary: { [evaluator]: { passed: 0, failed: 0, inconclusive: 0, errors: 0 } },
  cases: Object.entries(scores).map(([id, score]) => ({
    id,
    durationMs: 1,
    evaluationMs: 1,
    spent: {},
    results: {
      [evaluator]: evaluationResponse(score === undefined ? { verdict: 'inconclusive' } : { verdict: 'fail', score }),
    },
  })),
});
const only = (before: Scores, after: Scores) => {
  const [one] = compareRuns(runOf(before), runOf(after)).evaluators;
  if (one === undefined) throw new Error('no evaluator');
  return one;
};

describe('comparing two runs', () => {
  it('pairs cases by id, and tells means, difference and what changed, largest first', () => {
    const one = only({ a: 0, b: 1, c: 0.5, d: 0.25 }, { d: 0.5, c: 0.5, b: 0, a: 0.75 });
    expect(one).toMatchObject({ evaluator: 'e', pairs: 4, meanBefore: 0.4375, meanAfter: 0.4375, difference: 0 });
    expect(one.better).toEqual([
      { id: 'a', before: 0, after: 0.75 },
      { id: 'd', before: 0.25, after: 0.5 },
    ]);
    expect(one.worse).toEqual([{ id: 'b', before: 1, after: 0 }]);
  });

  it('names what is missing, and does not compare it', () => {
    const comparison = compareRuns(
      runOf({ a: 1, gone: 1, lost: 1, found: undefined }),
      runOf({ a: 0, fresh: 1, lost: undefined, found: 1 }),
    );
    expect(comparison).toMatchObject({ onlyBefore: ['gone'], onlyAfter: ['fresh'] });
    expect(comparison.evaluators[0]).toMatchObject({
      pairs: 1,
      undecidedAfter: ['lost'],
      undecidedBefore: ['found'],
      difference: -1,
    });
    const other = compareRuns(runOf({ a: 1 }, 'x'), runOf({ a: 1 }, 'y'));
    expect(other).toMatchObject({ evaluators: [], evaluatorsOnlyBefore: ['x'], evaluatorsOnlyAfter: ['y'] });
    expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison);
  });

  it('compares nothing with nothing', () => {
    expect(only({ a: undefined }, { a: 1 })).toEqual({
      evaluator: 'e',
      pairs: 0,
      better: [],
      worse: [],
      undecidedAfter: [],
      undecidedBefore: ['a'],
    });
  });

  // Binomial tails by hand: 2 * (1 + 10) / 2^10, 2 * 1 / 2^5, and 1 for a draw.
  it.each([
    [9, 1, 22 / 1024],
    [1, 9, 22 / 1024],
    [5, 0, 2 / 32],
    [1, 0, 1],
    [3, 3, 1],
    [0, 0, 1],
  ])('%d better and %d worse have p = %d by the sign test', (better, worse, p) => {
    const ids = (prefix: string, count: number, score: number) =>
      Array.from({ length: count }, (_, i) => [`${prefix}${i}`, score] as const);
    const before = Object.fromEntries([...ids('b', better, 0), ...ids('w', worse, 1), ['same', 0.5]]);
    const after = Object.fromEntries([...ids('b', better, 1), ...ids('w', worse, 0), ['same', 0.5]]);
    expect(only(before, after).pValue).toBeCloseTo(p, 12);
  });

  it('has a p for thousands of cases', () => {
    const many = (score: (i: number) => number): Scores =>
      Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`c${i}`, score(i)]));
    const one = compareRuns(runOf(many(() => 0.5)), runOf(many((i) => (i % 20 < 11 ? 1 : 0))), { resamples: 200 })
      .evaluators[0];
    // z = 150 / sqrt(3000 / 4) = 5.477 with 1,650 of 3,000: about 4.8e-8.
    expect(one?.pValue).toBeGreaterThan(1e-8);
    expect(one?.pValue).toBeLessThan(1e-7);
  });

  it('gives an interval near that of the normal distribution, and the same for the same seed', () => {
    // 100 differences, half 0.2 and half 0: mean 0.1, standard error 0.1 / sqrt(100) = 0.01; 95 % is 1.96 of them.
    const before = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`c${i}`, 0.5]));
    const after = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`c${i}`, i % 2 === 0 ? 0.7 : 0.5]));
    const interval = only(before, after).interval ?? [0, 0];
    expect(interval[0]).toBeCloseTo(0.1 - 0.0196, 2);
    expect(interval[1]).toBeCloseTo(0.1 + 0.0196, 2);
    expect(only(before, after).interval).toEqual(interval);
    const narrower = compareRuns(runOf(before), runOf(after), { confidence: 0.5, seed: 7 }).evaluators[0]?.interval;
    expect((narrower?.[1] ?? 1) - (narrower?.[0] ?? 0)).toBeLessThan(interval[1] - interval[0]);
  });

  it('holds the difference in its interval; the other way round it is the negative', () => {
    const anyScores = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
      {
        minLength: 1,
        maxLength: 20,
      },
    );
    fc.assert(
      fc.property(anyScores, (pairs) => {
        const [before, after] = [0, 1].map((side) =>
          runOf(Object.fromEntries(pairs.map((pair, i) => [`c${i}`, pair[side]]))),
        );
        if (before === undefined || after === undefined) return;
        const options = { resamples: 500, confidence: 0.999 };
        const there = compareRuns(before, after, options).evaluators[0];
        const back = compareRuns(after, before, options).evaluators[0];
        const difference = there?.difference ?? Number.NaN;
        expect(back?.difference).toBeCloseTo(-difference);
        expect(back?.pValue).toBe(there?.pValue);
        const [low, high] = there?.interval ?? [1, -1];
        expect(low).toBeLessThanOrEqual(difference + 1e-9);
        expect(high).toBeGreaterThanOrEqual(difference - 1e-9);
        expect([there?.better.length, there?.worse.length]).toEqual([back?.worse.length, back?.better.length]);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    [{ confidence: 1 }, 'confidence'],
    [{ resamples: 0 }, 'resamples'],
    [{ seed: 0.5 }, 'seed'],
  ])('refuses %j', (options, subject) => {
    expect(() => compareRuns(runOf({}), runOf({}), options)).toThrow(coded('invalid_argument', subject));
  });
});
