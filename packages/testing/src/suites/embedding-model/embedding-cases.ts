import type { EmbeddingModel } from '@vernal/core';
import { document, embedDocuments } from '@vernal/core';
import { check, checkEqual, present, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';

/** Stable: a report of today compares with one of last year. */
export type EmbeddingModelCaseId = `embedding.${string}`;

const TEXTS = [
  'the weather in Delft',
  'stock prices fell',
  'une phrase française',
  '東京の天気は雨です',
  'emoji 😀 and\nlines',
];

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (const [index, x] of a.entries()) {
    const y = b[index] ?? 0;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return dot / Math.sqrt(aa * bb);
}

/** Equal up to what a service rounds from one request to the next. */
function checkNear(actual: Float32Array | undefined, expected: Float32Array | undefined, what: string): void {
  const [a, b] = [present(actual, what), present(expected, what)];
  checkEqual(a.length, b.length, `dimensions of ${what}`);
  const similarity = cosine(a, b);
  check(similarity > 0.999, `${what}: the vectors must be the same, their cosine is ${similarity}`);
}

function checkVector(vector: Float32Array, dimensions: number, what: string): void {
  check(vector instanceof Float32Array, `${what} must be a Float32Array`);
  checkEqual(vector.length, dimensions, `dimensions of ${what}`);
  check(vector.every(Number.isFinite), `${what} must hold finite numbers only`);
}

async function oneByOne(model: EmbeddingModel, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const text of texts) vectors.push(...(await model.embed([text])));
  return vectors;
}

export const embeddingCases: readonly SuiteCase<EmbeddingModelCaseId, EmbeddingModel>[] = [
  {
    id: 'embedding.plain-data',
    title: 'provider is a lower-case name, limits are whole numbers',
    async run({ provider, limits }) {
      check(/^[a-z][a-z0-9_.-]*$/.test(provider), `provider '${provider}' must be lower case`);
      for (const [name, value] of Object.entries(limits ?? {})) {
        check(
          value === undefined || (Number.isInteger(value) && value > 0),
          `limits.${name} must be a whole number above 0`,
        );
      }
    },
  },
  {
    id: 'embedding.order',
    title: 'one vector a text, in the order of the texts',
    async run(model) {
      const together = await model.embed(TEXTS);
      const single = await oneByOne(model, TEXTS);
      checkEqual(together.length, TEXTS.length, 'vectors');
      for (const [index, text] of TEXTS.entries()) checkNear(together[index], single[index], `the vector of '${text}'`);
    },
  },
  {
    id: 'embedding.duplicates',
    title: 'a text given twice gets its vector twice',
    async run(model) {
      const [a, b, c] = await model.embed(['same', 'other', 'same']);
      checkNear(a, c, 'the vector of the repeated text');
      check(cosine(present(a, 'first'), present(b, 'second')) < 0.999, 'different texts must get different vectors');
    },
  },
  {
    id: 'embedding.dimensions',
    title: 'dimensions() is the length of every vector',
    async run(model) {
      const dimensions = await model.dimensions();
      check(Number.isInteger(dimensions) && dimensions > 0, `dimensions() is ${dimensions}`);
      for (const [index, vector] of (await model.embed(TEXTS)).entries())
        checkVector(vector, dimensions, `vector ${index}`);
      checkEqual(await model.dimensions(), dimensions, 'dimensions() asked again');
    },
  },
  {
    id: 'embedding.call',
    title: 'call() gives the same vectors by index, complete, with counters that are numbers or absent',
    async run(model) {
      const { embeddings, metadata } = await model.call({ inputs: TEXTS });
      checkEqual(
        embeddings.map((one) => one.index),
        [...TEXTS.keys()],
        'indexes',
      );
      const vectors = await model.embed(TEXTS);
      for (const { vector, index } of embeddings) checkNear(vector, vectors[index], `embedding ${index}`);
      for (const [name, value] of Object.entries(metadata.usage)) {
        if (name === 'native' || name === 'rounds') continue;
        check(Number.isInteger(value) && Number(value) >= 0, `usage.${name} must be a whole number, is ${value}`);
      }
    },
  },
  {
    id: 'embedding.empty-list',
    title: 'no texts, no vectors',
    async run(model) {
      checkEqual(await model.embed([]), [], 'vectors of no texts');
      checkEqual((await model.call({ inputs: [] })).embeddings, [], 'embeddings of no inputs');
    },
  },
  {
    id: 'embedding.over-limits',
    title: 'more documents than one request takes keep their order',
    async run(model) {
      const limit = Math.min(model.limits?.maxInputs ?? 64, 2048);
      const texts = Array.from({ length: limit + 3 }, (_, index) => `document number ${index} of many`);
      const vectors = await embedDocuments(
        model,
        texts.map((text) => document(text)),
      );
      checkEqual(vectors.length, texts.length, 'vectors');
      const probes = [0, 1, limit - 1, limit, limit + 2];
      const single = await oneByOne(
        model,
        probes.map((index) => texts[index] ?? ''),
      );
      for (const [position, index] of probes.entries())
        checkNear(vectors[index], single[position], `document ${index}`);
    },
  },
  {
    id: 'embedding.concurrent',
    title: 'calls at the same time do not mix',
    async run(model) {
      const single = await oneByOne(model, TEXTS);
      const together = await Promise.all(TEXTS.map((text) => model.embed([text])));
      for (const [index, [vector]] of together.entries())
        checkNear(vector, single[index], `the vector of call ${index}`);
    },
  },
  {
    id: 'embedding.own-vectors',
    title: 'a vector belongs to the caller: changing it changes no later answer',
    async run(model) {
      const [first] = await model.embed(['mine']);
      const kept = present(first, 'the vector').slice();
      first?.fill(0);
      checkNear((await model.embed(['mine']))[0], kept, 'the vector asked for again');
    },
  },
  {
    id: 'embedding.input-kept',
    title: 'the list of texts is not changed',
    async run(model) {
      const texts = Object.freeze([...TEXTS]);
      await model.embed(texts);
      await model.call(Object.freeze({ inputs: texts }));
      checkEqual(texts, TEXTS, 'the texts');
    },
  },
  {
    id: 'embedding.abort',
    title: "a signal that has fired already gives 'aborted'",
    async run(model) {
      const context = { signal: AbortSignal.abort() };
      await rejectsWith(() => model.embed(['x'], undefined, context), 'aborted', 'embed');
      await rejectsWith(() => model.call({ inputs: ['x'] }, context), 'aborted', 'call');
    },
  },
];
