import { document } from '@vernal/core';
import type { RetrievedDocuments } from '@vernal/rag';
import { query, ReciprocalRankFusionJoiner, RelativeScoreFusionJoiner } from '@vernal/rag';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

type Scored = readonly (readonly [id: string, score?: number])[];

function found(retriever: number, scored: Scored): RetrievedDocuments {
  const documents = scored.map(([id, score]) => document({ id, text: `${id} of ${retriever}`, score }));
  return { query: query('q'), retriever, documents };
}

const scoresOf = (joined: readonly { readonly id: string; readonly score?: number }[]) =>
  Object.fromEntries(joined.map(({ id, score }) => [id, score]));

/** Lists of one to three retrievers, for one or two queries each. */
const lists = fc.array(
  fc.record({
    retriever: fc.integer({ min: 0, max: 2 }),
    scored: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')).chain((ids) =>
      fc
        .array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined }), {
          minLength: ids.length,
          maxLength: ids.length,
        })
        .map((scores) => ids.map((id, i) => [id, scores[i]] as [string, number?])),
    ),
  }),
  { maxLength: 6 },
);
const weights = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3 });

describe('ReciprocalRankFusionJoiner', () => {
  it('puts first what stands high in several lists, whatever the scores', () => {
    const joined = new ReciprocalRankFusionJoiner().join([
      found(0, [
        ['a', 0.9],
        ['both', 0.1],
      ]),
      found(1, [['x', 70], ['both', 3], ['y']]),
    ]);
    expect(joined.map(({ id }) => id)).toEqual(['both', 'a', 'x', 'y']);
    expect(joined[0]?.text).toBe('both of 0');
    expect(joined[0]?.score).toBeCloseTo(61 / 62, 12);
  });

  it('scores as the sum of weight / (k + rank) says, as a share of the best possible', () => {
    fc.assert(
      fc.property(lists, weights, fc.integer({ min: 0, max: 100 }), (given, weighted, k) => {
        const results = given.map(({ retriever, scored }) => found(retriever, scored));
        const joined = new ReciprocalRankFusionJoiner({ k, weights: weighted }).join(results);
        const sums = new Map<string, number>();
        let best = 0;
        for (const { retriever, documents } of results) {
          const weight = weighted[retriever] ?? 1;
          best += weight / (k + 1);
          for (const [at, { id }] of documents.entries()) sums.set(id, (sums.get(id) ?? 0) + weight / (k + at + 1));
        }
        expect(joined.map(({ id }) => id).sort()).toEqual([...sums.keys()].sort());
        for (const [at, { id, score }] of joined.entries()) {
          expect(score).toBeCloseTo(best === 0 ? 0 : (sums.get(id) ?? 0) / best, 9);
          expect(score).toBeLessThanOrEqual(joined[at - 1]?.score ?? 2);
        }
      }),
    );
  });

  it('counts retrievers by their weights, for each of their queries', () => {
    const results = [found(0, [['a']]), found(1, [['b']]), found(0, [['a']]), found(1, [['b']])];
    expect(new ReciprocalRankFusionJoiner({ weights: [1, 2] }).join(results)[0]?.id).toBe('b');
    expect(new ReciprocalRankFusionJoiner().join(results)[0]?.id).toBe('a');
    expect(scoresOf(new ReciprocalRankFusionJoiner({ weights: [0, 0] }).join(results))).toEqual({ a: 0, b: 0 });
  });

  it('refuses numbers out of range', () => {
    for (const options of [{ k: -1 }, { k: Number.NaN }, { weights: [-1] }, { weights: [Number.NaN] }])
      expect(() => new ReciprocalRankFusionJoiner(options)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
  });
});

describe.each([
  ['ReciprocalRankFusionJoiner', new ReciprocalRankFusionJoiner({ weights: [1, 2] })],
  ['RelativeScoreFusionJoiner', new RelativeScoreFusionJoiner({ weights: [1, 2] })],
])('%s', (_, joiner) => {
  it('keeps the best copy, and gives the same whichever query comes first', () => {
    const one = [document({ id: 'd1', text: 'full text', score: 0.9 }), document({ id: 'd2', text: 'B', score: 0.5 })];
    const other = [
      document({ id: 'd1', text: 'stub', score: 0.1 }),
      document({ id: 'd3', text: 'C', score: 0.7 }),
      document({ id: 'd4', text: 'D' }),
    ].sort((a, b) => (joiner instanceof ReciprocalRankFusionJoiner ? 0 : (b.score ?? 0) - (a.score ?? 0)));
    const before = structuredClone([one, other]);
    const lists = [one, other].map((documents, at) => ({ query: query(`q${at + 1}`), retriever: 0, documents }));
    const joined = joiner.join(lists);
    expect(joined.map(({ id }) => id)).toEqual(['d1', 'd3', 'd2', 'd4']);
    expect(joined[0]?.text).toBe('full text');
    expect(joiner.join(lists.toReversed())).toEqual(joined);
    expect([one, other]).toEqual(before);
  });

  it('gives the same in whatever order the lists come', () => {
    fc.assert(
      fc.property(
        lists.chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length }))),
        ([given, shuffled]) => {
          const joined = (all: typeof given) =>
            joiner.join(all.map(({ retriever, scored }) => found(retriever, scored)));
          // Copies that tie in everything stay as they were found.
          const seen = (all: typeof given) =>
            joined(all)
              .map(({ score, text }) => `${score} ${text}`)
              .sort();
          expect(seen(shuffled)).toEqual(seen(given));
        },
      ),
    );
  });
});

describe('RelativeScoreFusionJoiner', () => {
  it('spreads the scores of each list over 0 to 1', () => {
    const joined = new RelativeScoreFusionJoiner({ weights: [3, 1] }).join([
      found(0, [
        ['a', 0.9],
        ['b', 0.8],
        ['c', 0.7],
      ]),
      found(1, [
        ['c', 40],
        ['b', 30],
        ['d', 20],
      ]),
    ]);
    expect(joined.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(scoresOf(joined)).toEqual({ a: 0.75, b: expect.closeTo((3 * 0.5 + 0.5) / 4, 9), c: 0.25, d: 0 });
  });

  it('takes a list of one and equal scores for the best, a missing score for the worst, and places where there are none', () => {
    const fuse = (...results: RetrievedDocuments[]) => scoresOf(new RelativeScoreFusionJoiner().join(results));
    expect(fuse(found(0, [['a', -3]]))).toEqual({ a: 1 });
    expect(
      fuse(
        found(0, [
          ['a', 5],
          ['b', 5],
        ]),
      ),
    ).toEqual({ a: 1, b: 1 });
    expect(fuse(found(0, [['a'], ['b', 5], ['c', 4]]))).toEqual({ a: 0, b: 1, c: 0 });
    expect(fuse(found(0, [['a'], ['b'], ['c'], ['d']]))).toEqual({ a: 1, b: 0.75, c: 0.5, d: 0.25 });
    expect(fuse(found(0, []), found(1, [['a', 1]]))).toEqual({ a: 0.5 });
    expect(fuse()).toEqual({});
  });

  it('gives every document once, with a score from 0 to 1, best first, and does not care for scale and origin of a list', () => {
    fc.assert(
      fc.property(lists, weights, (given, weighted) => {
        const joiner = new RelativeScoreFusionJoiner({ weights: weighted });
        const results = given.map(({ retriever, scored }) => found(retriever, scored));
        const joined = joiner.join(results);
        expect(joined.map(({ id }) => id).sort()).toEqual(
          [...new Set(results.flatMap((r) => r.documents.map(({ id }) => id)))].sort(),
        );
        for (const [at, { score }] of joined.entries()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(Math.min(1 + 1e-9, joined[at - 1]?.score ?? 2));
        }
      }),
    );
    const one: Scored = [
      ['a', 1],
      ['b', 3],
      ['c', 2],
    ];
    const other = one.map(([id, score]) => [id, (score ?? 0) * 1000 - 5000] as const);
    const rest = found(1, [
      ['c', 7],
      ['b', 6],
      ['a', 1],
    ]);
    const joiner = new RelativeScoreFusionJoiner();
    expect(scoresOf(joiner.join([found(0, other), rest]))).toEqual(scoresOf(joiner.join([found(0, one), rest])));
  });
});
