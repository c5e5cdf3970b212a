import type { VectorMetric } from '@vernal/vector-store';
import { check, checkEqual, present, rejectsWith } from '../kernel/assertions.js';
import type { StoreCase } from './store-case.js';
import type { StoreStage } from './store-stage.js';
import { doc } from './store-stage.js';

const TEXTS: Readonly<Record<string, string>> = {
  weather: 'the weather in Delft is rainy today',
  forecast: 'the weather forecast for Delft',
  stocks: 'stock prices fell sharply',
  cooking: 'boil the potatoes for twenty minutes',
  ships: 'engines of large ships',
  birds: 'birds fly south in autumn',
};

/** Without metadata, which would be embedded with the text. */
async function filled(stage: StoreStage): Promise<void> {
  await stage.add(...Object.entries(TEXTS).map(([id, text]) => doc(id, {}, text)));
}

/** The score rule: cosine similarity itself, the inner product as it is, Euclid 1 / (1 + distance). Vectors here have length 1. */
function score(metric: VectorMetric, a: Float32Array, b: Float32Array): number {
  const dot = a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  return metric === 'euclidean' ? 1 / (1 + Math.sqrt(Math.max(0, 2 - 2 * dot))) : dot;
}

const QUERY = 'weather in Delft';

export const searchCases: readonly StoreCase[] = [
  {
    id: 'vs.search.nearest-first',
    title: 'the nearest document comes first, scores fall',
    async run(stage) {
      await filled(stage);
      const found = await stage.search({ query: QUERY });
      checkEqual(
        found
          .slice(0, 2)
          .map((one) => one.id)
          .toSorted(),
        ['forecast', 'weather'],
        'the two nearest',
      );
      const scores = found.map((one) => present(one.score, 'score'));
      checkEqual(
        scores,
        scores.toSorted((a, b) => b - a),
        'scores',
      );
    },
  },
  {
    id: 'vs.search.score',
    title: 'the score is the one of the metric, and metadata.distance the distance of the engine',
    async run(stage) {
      await filled(stage);
      const query = await stage.vector(QUERY);
      for (const { id, score: actual, metadata } of await stage.search({ query: QUERY })) {
        const expected = score(stage.store.capabilities.metric, query, await stage.vector(TEXTS[id] ?? ''));
        check(
          Math.abs((actual ?? Number.NaN) - expected) < 1e-3,
          `score of ${id}: expected ${expected}, got ${actual}`,
        );
        check(typeof metadata['distance'] === 'number', `metadata.distance of ${id} must be a number`);
      }
    },
  },
  {
    id: 'vs.search.same-text',
    title: 'a query with the text of a document finds it, with the best score there is',
    async run(stage) {
      await filled(stage);
      const [first] = await stage.search({ query: TEXTS['ships'] ?? '' });
      checkEqual(first?.id, 'ships', 'the nearest');
      check(Math.abs((first?.score ?? 0) - 1) < 1e-3, `score must be 1, is ${first?.score}`);
    },
  },
  {
    id: 'vs.search.top-k',
    title: 'topK is kept; it is 4 when it is not given',
    async run(stage) {
      await filled(stage);
      checkEqual((await stage.ids({ query: QUERY, topK: 1 })).length, 1, 'documents for topK 1');
      checkEqual((await stage.ids({ query: QUERY, topK: 100 })).length, 6, 'documents for topK 100');
      checkEqual((await stage.store.similaritySearch(QUERY)).length, 4, 'documents without topK');
      checkEqual(
        await stage.ids({ query: QUERY, topK: 2 }),
        (await stage.ids({ query: QUERY })).slice(0, 2),
        'the best two',
      );
    },
  },
  {
    id: 'vs.search.bad-top-k',
    title: 'a topK that is not a whole number above 0 is refused',
    async run({ store }) {
      for (const topK of [0, -1, 1.5, Number.NaN]) {
        await rejectsWith(() => store.similaritySearch({ query: 'x', topK }), 'invalid_argument', `topK ${topK}`);
      }
    },
  },
  {
    id: 'vs.search.threshold',
    title: 'the threshold is inclusive',
    async run(stage) {
      await filled(stage);
      const found = await stage.search({ query: QUERY });
      const second = present(found[1]?.score, 'the second score');
      const count = found.filter((one) => (one.score ?? 0) >= second).length;
      checkEqual(
        (await stage.ids({ query: QUERY, similarityThreshold: second })).length,
        count,
        'documents at the score itself',
      );
      const above = found.filter((one) => (one.score ?? 0) >= second + 1e-3).length;
      checkEqual(
        (await stage.ids({ query: QUERY, similarityThreshold: second + 1e-3 })).length,
        above,
        'documents above it',
      );
    },
  },
  {
    id: 'vs.search.threshold-zero',
    title: 'a threshold of 0 keeps all, those with a negative score too',
    async run(stage) {
      await filled(stage);
      const opposite = (await stage.vector(TEXTS['weather'] ?? '')).map((value) => -value);
      for (const similarityThreshold of [0, undefined]) {
        const found = await stage.ids({ vector: opposite, similarityThreshold });
        checkEqual(found.length, 6, `documents for the opposite of a vector, threshold ${similarityThreshold}`);
      }
    },
  },
  {
    id: 'vs.search.vector',
    title: 'a vector stands in for the query',
    async run(stage) {
      await filled(stage);
      const vector = await stage.vector(TEXTS['birds'] ?? '');
      checkEqual(await stage.ids({ query: QUERY, vector, topK: 1 }), ['birds'], 'the nearest to the vector');
    },
  },
  {
    id: 'vs.search.empty-store',
    title: 'an empty store finds nothing',
    async run(stage) {
      checkEqual(await stage.ids({ query: QUERY }), [], 'documents');
      checkEqual(await stage.ids({ query: QUERY, filterExpression: "a == 'b'" }), [], 'documents with a filter');
    },
  },
  {
    id: 'vs.search.filter-before-top-k',
    title: 'the filter is applied before topK',
    async run(stage) {
      await stage.add(
        ...Array.from({ length: 30 }, (_, index) => doc(`near${index}`, { kind: 'near' }, `weather in Delft ${index}`)),
        doc('far', { kind: 'far' }, 'boil the potatoes'),
      );
      checkEqual(await stage.ids({ query: QUERY, topK: 1, filterExpression: "kind == 'far'" }), ['far'], 'documents');
    },
  },
];
