import {
  diversify,
  fusionDepth,
  reciprocalRankFusion,
  roundScore,
  type VectorMetric,
  vectorFault,
} from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('reciprocalRankFusion', () => {
  it('gives 1 for being first in all lists, and shares of it below', () => {
    const scores = reciprocalRankFusion([
      ['a', 'b'],
      ['a', 'c'],
    ]);
    expect([...scores.keys()]).toEqual(['a', 'b', 'c']);
    expect(scores.get('a')).toBe(1);
    expect(scores.get('b')).toBeCloseTo(61 / 62 / 2, 12);
    expect(reciprocalRankFusion([])).toEqual(new Map());
  });

  it('takes a weight for each list, and how much the first places count', () => {
    const scores = reciprocalRankFusion([['a'], ['b', 'a']], { k: 0, weights: [3, 1] });
    expect(scores.get('a')).toBeCloseTo((3 + 1 / 2) / 4, 12);
    expect(scores.get('b')).toBeCloseTo(1 / 4, 12);
    expect(reciprocalRankFusion([['a']], { weights: [0] })).toEqual(new Map([['a', 0]]));
  });

  it('keeps what stands higher in every list before what stands lower', () => {
    const list = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e'], { minLength: 5 });
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 4 }), (lists) => {
        const scores = reciprocalRankFusion(lists);
        for (const a of scores.keys())
          for (const b of scores.keys())
            if (a !== b && lists.every((one) => one.indexOf(a) < one.indexOf(b)))
              expect(scores.get(a)).toBeGreaterThan(scores.get(b) ?? 1);
        for (const score of scores.values()) expect(score > 0 && score <= 1).toBe(true);
      }),
    );
  });

  it('is made of lists that are deeper than the result', () => {
    expect([1, 25, 26, 1000].map(fusionDepth)).toEqual([50, 50, 52, 2000]);
    expect(fusionDepth(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('diversify', () => {
  const near = { id: 'near', score: 0.9, vector: Float32Array.of(9, 1) };
  const twin = { id: 'twin', score: 0.89, vector: Float32Array.of(900, 101) };
  const other = { id: 'other', score: 0.5, vector: Float32Array.of(1, -5) };

  it.each<[VectorMetric, number, string[]]>([
    ['cosine', 1, ['near', 'twin']],
    ['cosine', 0.5, ['near', 'other']],
    ['euclidean', 0.5, ['near', 'twin']],
    ['dot', 0.5, ['near', 'other']],
  ])('under %s and lambda %d', (metric, lambda, expected) => {
    expect(diversify([near, twin, other], { topK: 2, lambda, metric }).map(({ id }) => id)).toEqual(expected);
  });

  it('is not put off by vectors of zeros, or by none', () => {
    const zero = { id: 'zero', score: 0.8, vector: new Float32Array(2) };
    const none = { id: 'none', score: 0.7, vector: new Float32Array(0) };
    const chosen = diversify([near, zero, none], { topK: 3, lambda: 0.5, metric: 'cosine' });
    expect(chosen.map(({ id }) => id)).toEqual(['near', 'zero', 'none']);
  });

  it('gives the candidates themselves, never more than there are, whatever their length', () => {
    const chosen = diversify([near, twin], { topK: 9, lambda: 0.3, metric: 'cosine' });
    expect(chosen).toEqual([near, twin]);
    expect(chosen[0]).toBe(near);
    expect(diversify([], { topK: 3, lambda: 0, metric: 'dot' })).toEqual([]);
  });
});

describe('scores and faults', () => {
  it('are those on paper: the noise of float32 is gone', () => {
    expect(roundScore('cosine', Math.fround(0.8))).toBe(0.8);
    expect(roundScore('cosine', 1.0000001)).toBe(1);
    expect(roundScore('cosine', -1.00001)).toBe(-1);
    expect(roundScore('dot', 1234.56789)).toBe(1234.568);
    expect(roundScore('euclidean', 1 / 3)).toBe(0.3333333);
  });

  it('are of zeros under cosine, and of what leaves float32 under the others', () => {
    const [zero, large] = [new Float32Array(3), Float32Array.of(1e19, 0)];
    expect([vectorFault('cosine', zero), vectorFault('cosine', large)]).toEqual(['zero', undefined]);
    for (const metric of ['dot', 'euclidean'] as const)
      expect([vectorFault(metric, zero), vectorFault(metric, large)]).toEqual([undefined, 'large']);
  });
});
