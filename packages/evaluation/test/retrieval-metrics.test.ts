import {
  averagePrecision,
  hitAtK,
  meanAveragePrecision,
  meanReciprocalRank,
  ndcgAtK,
  precisionAtK,
  type Relevance,
  recallAtK,
  reciprocalRank,
} from '@vernal/evaluation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coded } from './samples.js';

// Six documents, of which d1, d3 and d6 are relevant; d9 is relevant too and was not found.
const ranking = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'];
const relevant = ['d1', 'd3', 'd6', 'd9'];

describe('metrics of a ranking, worked out by hand', () => {
  it('recall and precision', () => {
    expect([1, 2, 3, 6, 10].map((k) => recallAtK(ranking, relevant, k))).toEqual([1 / 4, 1 / 4, 2 / 4, 3 / 4, 3 / 4]);
    expect([1, 2, 3, 6, 10].map((k) => precisionAtK(ranking, relevant, k))).toEqual([1, 1 / 2, 2 / 3, 3 / 6, 3 / 10]);
  });

  it('hits', () => {
    expect(hitAtK(['x', 'd1'], relevant, 1)).toBe(0);
    expect(hitAtK(['x', 'd1'], relevant, 2)).toBe(1);
  });

  it('reciprocal rank', () => {
    expect(reciprocalRank(['x', 'y', 'd9'], relevant)).toBe(1 / 3);
    expect(reciprocalRank(['x', 'y'], relevant)).toBe(0);
    // The mean of 1, 1/3 and 0.
    const rankings = [ranking, ['x', 'y', 'd9'], ['x']].map((one) => ({ ranking: one, relevant }));
    expect(meanReciprocalRank(rankings)).toBeCloseTo(4 / 9);
  });

  it('average precision', () => {
    // 1/1 at d1, 2/3 at d3, 3/6 at d6, and 0 for d9.
    expect(averagePrecision(ranking, relevant)).toBeCloseTo((1 + 2 / 3 + 1 / 2) / 4);
    expect(
      meanAveragePrecision([
        { ranking, relevant },
        { ranking: ['x'], relevant },
      ]),
    ).toBeCloseTo((1 + 2 / 3 + 1 / 2) / 8);
  });

  it('nDCG', () => {
    // Grades 3, 2, 3, 0, 1, 2 in the order found: the example that is told everywhere; DCG 6.861, ideal 7.141 for these six.
    const grades = { d1: 3, d2: 2, d3: 3, d4: 0, d5: 1, d6: 2 };
    const dcg = 3 + 2 / Math.log2(3) + 3 / 2 + 0 + 1 / Math.log2(6) + 2 / Math.log2(7);
    const best = 3 + 3 / Math.log2(3) + 2 / 2 + 2 / Math.log2(5) + 1 / Math.log2(6);
    expect(dcg).toBeCloseTo(6.861, 3);
    expect(ndcgAtK(ranking, grades, 6)).toBeCloseTo(dcg / best);
    expect(ndcgAtK(ranking, grades, 6)).toBeCloseTo(0.961, 3);
    // Two documents, the better one second: (1 + 3/1.585) / (3 + 1/1.585), and with 2^g - 1 (1 + 7/1.585) / (7 + 1/1.585).
    expect(ndcgAtK(['b', 'a'], { a: 3, b: 1 }, 2)).toBeCloseTo(0.797, 3);
    expect(ndcgAtK(['b', 'a'], { a: 3, b: 1 }, 2, { gain: 'exponential' })).toBeCloseTo(0.71, 3);
  });

  it('count a key that comes again once, and give its rank to the next', () => {
    const passages = ['d2', 'd2', 'd1', 'd1', 'd3'];
    expect(recallAtK(passages, relevant, 3)).toBe(2 / 4);
    expect(reciprocalRank(passages, relevant)).toBe(1 / 2);
    expect(averagePrecision(passages, relevant)).toBe(averagePrecision(['d2', 'd1', 'd3'], relevant));
  });

  it('know keys that objects have from birth', () => {
    expect(recallAtK(['constructor', 'toString'], { constructor: 1, valueOf: 2 }, 5)).toBe(1 / 2);
  });

  it.each<readonly [Relevance, string]>([
    [[], 'relevant'],
    [{ a: 0 }, 'relevant'],
    [{ a: -1, b: 1 }, 'relevant'],
    [{ a: Number.NaN }, 'relevant'],
    ['a' as never, 'relevant'],
  ])('refuse %j', (wrong, subject) => {
    for (const metric of [averagePrecision, reciprocalRank]) {
      expect(() => metric(ranking, wrong)).toThrow(coded('invalid_argument', subject));
    }
  });

  it('refuse a k that is no count, and no rankings', () => {
    for (const metric of [recallAtK, precisionAtK, hitAtK, ndcgAtK]) {
      for (const k of [0, -1, 1.5, Number.NaN]) {
        expect(() => metric(ranking, relevant, k)).toThrow(coded('invalid_argument', 'k'));
      }
    }
    expect(() => meanReciprocalRank([])).toThrow(coded('invalid_argument', 'rankings'));
    expect(() => meanAveragePrecision([])).toThrow(coded('invalid_argument', 'rankings'));
  });
});

describe('metrics of any ranking', () => {
  const keys = Array.from({ length: 12 }, (_, i) => `d${i}`);
  const anyRanking = fc.shuffledSubarray(keys);
  const anyGrades = fc
    .dictionary(fc.constantFrom(...keys), fc.integer({ min: 1, max: 4 }), { minKeys: 1, noNullPrototype: true })
    .map((grades) => ({ ...grades }));
  const anyK = fc.integer({ min: 1, max: 15 });
  const all = (ranked: readonly string[], grades: Relevance, k: number): Record<string, number> => ({
    recall: recallAtK(ranked, grades, k),
    precision: precisionAtK(ranked, grades, k),
    hit: hitAtK(ranked, grades, k),
    ndcg: ndcgAtK(ranked, grades, k),
    exponential: ndcgAtK(ranked, grades, k, { gain: 'exponential' }),
    mrr: reciprocalRank(ranked, grades),
    map: averagePrecision(ranked, grades),
  });

  it('lie between 0 and 1', () => {
    fc.assert(
      fc.property(anyRanking, anyGrades, anyK, (ranked, grades, k) => {
        for (const value of Object.values(all(ranked, grades, k))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('are 1 for the best ranking, and 0 where nothing relevant was found', () => {
    fc.assert(
      fc.property(anyGrades, (grades) => {
        const best = Object.keys(grades).sort((a, b) => (grades[b] ?? 0) - (grades[a] ?? 0));
        const values = all([...best, ...keys.filter((key) => !best.includes(key))], grades, best.length);
        expect(values).toEqual(Object.fromEntries(Object.keys(values).map((name) => [name, 1])));
        const none = keys.filter((key) => !best.includes(key));
        expect(Math.max(...Object.values(all(none, grades, 5)))).toBe(0);
      }),
    );
  });

  it('do not fall when a relevant document moves up past one that is not', () => {
    fc.assert(
      fc.property(anyRanking, anyGrades, anyK, (ranked, grades, k) => {
        const at = ranked.findIndex((key, i) => i > 0 && key in grades && !((ranked[i - 1] ?? '') in grades));
        fc.pre(at > 0);
        const better = [...ranked];
        [better[at - 1], better[at]] = [ranked[at] ?? '', ranked[at - 1] ?? ''];
        const [before, after] = [all(ranked, grades, k), all(better, grades, k)];
        for (const name of Object.keys(before)) {
          expect(after[name], name).toBeGreaterThanOrEqual((before[name] ?? 0) - 1e-12);
        }
        expect(after['map']).toBeGreaterThan(before['map'] ?? 0);
      }),
    );
  });

  it('agree with definitions that are written otherwise', () => {
    fc.assert(
      fc.property(anyRanking, anyGrades, anyK, (ranked, grades, k) => {
        const isRelevant = (key: string): boolean => key in grades;
        const count = Object.keys(grades).length;
        let found = 0;
        for (let i = 0; i < Math.min(k, ranked.length); i++) if (isRelevant(ranked[i] ?? '')) found++;
        expect(recallAtK(ranked, grades, k) * count).toBeCloseTo(found);
        expect(precisionAtK(ranked, grades, k) * k).toBeCloseTo(found);
        // Average precision is the mean of the precision at each relevant rank.
        const ranks = ranked.flatMap((key, i) => (isRelevant(key) ? i + 1 : []));
        const sum = ranks.reduce((total, rank) => total + precisionAtK(ranked, grades, rank), 0);
        expect(averagePrecision(ranked, grades)).toBeCloseTo(sum / count);
        expect(reciprocalRank(ranked, grades)).toBeCloseTo(ranks[0] === undefined ? 0 : 1 / ranks[0]);
      }),
    );
  });

  it('recall does not fall with k', () => {
    fc.assert(
      fc.property(anyRanking, anyGrades, anyK, (ranked, grades, k) => {
        expect(recallAtK(ranked, grades, k + 1)).toBeGreaterThanOrEqual(recallAtK(ranked, grades, k));
        expect(hitAtK(ranked, grades, k + 1)).toBeGreaterThanOrEqual(hitAtK(ranked, grades, k));
      }),
    );
  });
});
