import type { VectorMetric } from '@vernal/vector-store';
import { check, checkEqual, present, rejectsWith } from '../kernel/assertions.js';
import type { StoreCase } from './store-case.js';
import { doc } from './store-stage.js';

const REFUSED = ['embedding', 'invalid_argument', 'store_write', 'store_read'];

const VECTORS = { same: '[1, 0]', near: '[0.8, 0.6]', right: '[0, 1]', opposite: '[-1, 0]', long: '[10, 0]' } as const;
type Name = keyof typeof VECTORS;

/** The score of each of `VECTORS` for the query [1, 0]. */
const SCORES: Readonly<Record<VectorMetric, Readonly<Record<Name, number>>>> = {
  cosine: { same: 1, near: 0.8, right: 0, opposite: -1, long: 1 },
  dot: { same: 1, near: 0.8, right: 0, opposite: -1, long: 10 },
  euclidean: {
    same: 1,
    near: 1 / (1 + Math.sqrt(0.4)),
    right: 1 / (1 + Math.SQRT2),
    opposite: 1 / 3,
    long: 0.1,
  },
};

/** Vectors said in numbers: exact scores, and what no metric can compare. */
export const vectorCases: readonly StoreCase[] = [
  {
    id: 'vs.search.exact-scores',
    title: 'vectors of known places have the scores of the metric, length and opposite direction too',
    async run(stage) {
      await stage.add(...Object.entries(VECTORS).map(([id, text]) => doc(id, {}, text)));
      const expected: Readonly<Record<string, number>> = SCORES[stage.store.capabilities.metric];
      const found = await stage.search({ query: '[1, 0]' });
      checkEqual(found.map((one) => one.id).toSorted(), Object.keys(VECTORS).toSorted(), 'documents');
      for (const { id, score } of found) {
        const wanted = present(expected[id], id);
        check(Math.abs(present(score, 'score') - wanted) < 2e-3, `score of ${id}: expected ${wanted}, got ${score}`);
      }
    },
  },
  {
    id: 'vs.search.threshold-cosine',
    title: 'a threshold of what the score is on paper keeps it: noise of float32 takes nothing away',
    async run(stage) {
      await stage.add(...Object.entries(VECTORS).map(([id, text]) => doc(id, {}, text)));
      const scores = SCORES[stage.store.capabilities.metric];
      // Seven digits are what a score shows; the Euclidean one of 'near' has more.
      for (const threshold of [scores.same, Math.floor(scores.near * 1e7) / 1e7]) {
        const best = (Object.keys(VECTORS) as Name[]).filter((name) => scores[name] >= threshold);
        const ids = await stage.ids({ query: '[1, 0]', similarityThreshold: threshold });
        checkEqual(ids.toSorted(), best.toSorted(), `documents at the threshold ${threshold}`);
      }
    },
  },
  {
    id: 'vs.add.zero-vector',
    title: 'a vector of zeros is refused under cosine and is like any other elsewhere; no score is NaN',
    async run(stage) {
      const zero = [doc('good', {}, '[1, 0]'), doc('zero', {}, '[0, 0]')];
      if (stage.store.capabilities.metric === 'cosine') {
        await rejectsWith(() => stage.add(...zero), REFUSED, 'a batch with a vector of zeros');
        checkEqual(await stage.ids({ query: '[1, 0]' }), [], 'documents');
      } else {
        await stage.add(...zero);
        const scores = (await stage.search({ query: '[1, 0]' })).map((one) => one.score ?? Number.NaN);
        check(scores.length === 2 && scores.every(Number.isFinite), `two scores, none of them NaN, got ${scores}`);
      }
    },
  },
  {
    id: 'vs.add.broken-vector',
    title: 'vectors with NaN or an infinity are refused, and nothing of the batch is written',
    async run(stage) {
      for (const broken of ['[NaN, 1]', '[Infinity, 1]', '[1, -Infinity]'])
        await rejectsWith(
          () => stage.store.add([doc('good', {}, '[1, 0]'), doc('broken', {}, broken)]),
          REFUSED,
          `a batch with the vector ${broken}`,
        );
      await stage.settle();
      checkEqual(await stage.ids({ query: '[1, 0]' }), [], 'documents');
    },
  },
  {
    id: 'vs.add.other-dimensions',
    title: 'vectors of other dimensions than the store has are refused, and nothing of the batch is written',
    async run(stage) {
      await stage.add(doc('a', {}, '[1, 0]'));
      await rejectsWith(() => stage.store.add([doc('b', {}, '<1, 0, 0>')]), REFUSED, 'three dimensions');
      await rejectsWith(
        () => stage.store.add([doc('c', {}, '[1, 0]'), doc('d', {}, '<1, 0, 0>')]),
        REFUSED,
        'a batch of two dimensions',
      );
      await stage.settle();
      checkEqual(await stage.ids({ query: '[1, 0]' }), ['a'], 'documents');
    },
  },
  {
    id: 'vs.search.other-dimensions',
    title: 'a query of other dimensions is refused',
    async run(stage) {
      await stage.add(doc('a', {}, '[1, 0]'));
      await rejectsWith(() => stage.search({ query: '<1, 0, 0>' }), REFUSED, 'a query of three dimensions');
      await rejectsWith(
        () => stage.search({ vector: Float32Array.of(1, 0, 0) }),
        REFUSED,
        'a vector of three dimensions',
      );
    },
  },
  {
    id: 'vs.search.broken-query',
    title: 'a query of zeros is near to nothing or refused under cosine, one with NaN is refused',
    async run(stage) {
      await stage.add(doc('a', {}, '[1, 0]'));
      if (stage.store.capabilities.metric === 'cosine') {
        const found = await stage.search({ query: '[0, 0]' }).catch((error: unknown) => {
          if (REFUSED.includes(String(Reflect.get(Object(error), 'code')))) return [];
          throw error;
        });
        checkEqual(found, [], 'documents for a query of zeros');
      }
      await rejectsWith(() => stage.search({ query: '[NaN, 1]' }), REFUSED, 'a query with NaN');
    },
  },
];
