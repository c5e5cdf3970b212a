import { document, media } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import type { VectorMetric } from '@vernal/vector-store';
import { evaluateFilter, filter, SimpleVectorStore } from '@vernal/vector-store';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { numberDocumentModel, numberEmbeddingModel, toVector } from './number-embedding-model.js';

const numbers = (metric?: VectorMetric): SimpleVectorStore =>
  new SimpleVectorStore({ embeddingModel: numberEmbeddingModel(), metric });
const vector = (id: string, text: string, metadata = {}) => document({ id, text, metadata });

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('SimpleVectorStore', () => {
  it('gives back what was put in, best first, with score and distance', async () => {
    const store = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    const roses = document({
      id: 'r',
      text: 'Roses are red',
      metadata: { lang: 'en', nested: { list: [1, 'x', null, { deep: true }] }, empty: '' },
      format: { excludedEmbedMetadataKeys: ['lang'] },
    });
    await store.add([document({ id: 'v', text: 'Violets are blue' }), roses]);
    const [best, second] = await store.similaritySearch('red roses');
    expect(best).toMatchObject(roses);
    expect(best?.metadata).toEqual({ ...roses.metadata, distance: expect.closeTo(1 - (best?.score ?? 0), 6) });
    expect(best?.score).toBeGreaterThan(second?.score ?? 1);
    expect(store.size).toBe(2);
  });

  it('replaces by id and deletes by id', async () => {
    const store = numbers();
    await store.add([vector('a', '1 0'), vector('b', '0 1'), vector('c', '1 1')]);
    await store.add([vector('a', '-1 0', { v: 2 })]);
    expect(store.size).toBe(3);
    expect(await store.similaritySearch({ query: '-1 0', topK: 1 })).toMatchObject([{ id: 'a', metadata: { v: 2 } }]);
    expect(await store.delete(['a', 'nobody', 'a'])).toEqual({ deleted: 1 });
    expect(await store.delete([])).toEqual({ deleted: 0 });
    expect((await store.similaritySearch('-1 0')).map(({ id }) => id)).toEqual(['b', 'c']);
    expect(await store.delete(['b', 'c'])).toEqual({ deleted: 2 });
    expect(await store.similaritySearch('1 0')).toEqual([]);
  });

  it('does not change with what callers do to their objects', async () => {
    const store = numbers();
    const metadata = { tags: ['a'] };
    const given = { id: 'x', text: '1 0', metadata };
    await store.add([given]);
    metadata.tags.push('b');
    given.text = '0 1';
    const [found] = await store.similaritySearch('1 0');
    expect(found).toMatchObject({ text: '1 0', metadata: { tags: ['a'] } });
    expect(Object.isFrozen(found?.metadata['tags'])).toBe(true);
  });

  it('scores on the scale of its metric, higher is nearer', async () => {
    const texts = { same: '1 0', near: '0.8 0.6', orth: '0 1', opp: '-1 0', long: '10 0' };
    const expected = {
      cosine: { same: [1, 0], long: [1, 0], near: [0.8, 0.2], orth: [0, 1], opp: [-1, 2] },
      dot: { long: [10, -10], same: [1, -1], near: [0.8, -0.8], orth: [0, 0], opp: [-1, 1] },
      euclidean: {
        same: [1, 0],
        near: [1 / (1 + Math.sqrt(0.4)), Math.sqrt(0.4)],
        orth: [1 / (1 + Math.SQRT2), Math.SQRT2],
        opp: [1 / 3, 2],
        long: [0.1, 9],
      },
    };
    for (const metric of ['cosine', 'dot', 'euclidean'] as const) {
      const store = numbers(metric);
      await store.add(Object.entries(texts).map(([id, text]) => vector(id, text)));
      const found = await store.similaritySearch({ query: '1 0', topK: 9 });
      expect(found.map(({ id }) => id).sort()).toEqual(Object.keys(texts).sort());
      const scores = found.map(({ score }) => score ?? Number.NaN);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const { id, score, metadata } of found) {
        const [wanted, distance] = expected[metric][id as keyof typeof texts];
        expect(score).toBeCloseTo(wanted ?? Number.NaN, 6);
        expect(metadata['distance']).toBeCloseTo(distance ?? Number.NaN, 6);
      }
    }
  });

  it('keeps what is exactly at the threshold, and everything at 0', async () => {
    const store = numbers();
    await store.add([vector('same', '1 0'), vector('near', '0.8 0.6'), vector('opp', '-1 0')]);
    const ids = async (similarityThreshold: number | undefined): Promise<string[]> =>
      (await store.similaritySearch({ query: '1 0', similarityThreshold })).map(({ id }) => id);
    expect(await ids(undefined)).toEqual(['same', 'near', 'opp']);
    expect(await ids(0)).toEqual(['same', 'near', 'opp']);
    expect(await ids(0.8)).toEqual(['same', 'near']);
    expect(await ids(0.81)).toEqual(['same']);
    expect(await ids(1)).toEqual(['same']);
    expect(await ids(-0.5)).toEqual(['same', 'near']);
    const scored = await store.similaritySearch({ query: '1 0', similarityThreshold: 0.8 });
    for (const { score } of scored) expect(score).toBeGreaterThanOrEqual(0.8);
  });

  it('is exact: thresholds at round numbers hold in every direction', async () => {
    const store = numbers();
    const angles = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);
    await store.add(angles.map((cosine) => vector(String(cosine), `${cosine} ${Math.sqrt(1 - cosine * cosine)}`)));
    for (const cosine of angles) {
      const found = await store.similaritySearch({ query: '1 0', topK: 99, similarityThreshold: cosine });
      expect(found.at(-1)?.id).toBe(String(cosine));
      expect(found).toHaveLength(100 - Math.round(cosine * 100));
    }
  });

  it('refuses vectors that cannot be compared, before anything is written', async () => {
    for (const metric of ['cosine', 'dot', 'euclidean'] as const) {
      const store = numbers(metric);
      for (const bad of ['NaN 1', 'Infinity 1', '1 -Infinity', '']) {
        await expect(store.add([vector('good', '1 0'), vector('bad', bad)])).rejects.toMatchObject({
          failedIds: ['good', 'bad'],
          details: { faulty: ['bad'] },
        });
      }
      await expect(store.add([vector('two', '1 0'), vector('three', '1 0 0')])).rejects.toMatchObject({
        code: 'embedding',
      });
      expect(store.size).toBe(0);
    }
    const cosine = numbers();
    await expect(cosine.add([vector('good', '1 0'), vector('zero', '0 0')])).rejects.toMatchObject({
      details: { faulty: ['zero'] },
    });
    expect(cosine.size).toBe(0);
    const dot = numbers('dot');
    await expect(dot.add([vector('huge', '1e30 0')])).rejects.toMatchObject({ details: { faulty: ['huge'] } });
    await dot.add([vector('zero', '0 0')]);
    expect(dot.size).toBe(1);
  });

  it('gives no hits and no NaN for queries without direction', async () => {
    const store = numbers();
    await store.add([vector('a', '1 0')]);
    expect(await store.similaritySearch('0 0')).toEqual([]);
    await expect(store.similaritySearch('NaN 1')).rejects.toMatchObject({ code: 'embedding' });
    const given = { query: '', vector: Float32Array.of(Number.NaN, 1) };
    await expect(store.similaritySearch(given)).rejects.toMatchObject({ code: 'invalid_argument', subject: 'vector' });
    expect(await store.similaritySearch({ query: '', vector: Float32Array.of(2, 0) })).toMatchObject([
      { id: 'a', score: 1 },
    ]);
  });

  it('compares vectors of the smallest and largest size', async () => {
    const store = numbers();
    await store.add([vector('tiny', '1e-30 1e-30'), vector('huge', '1e38 0')]);
    expect(await store.similaritySearch('1e-40 0')).toMatchObject([
      { id: 'huge', score: 1 },
      { id: 'tiny', score: expect.closeTo(Math.SQRT1_2, 6) },
    ]);
  });

  it('says so when the model makes other dimensions', async () => {
    const store = numbers();
    await store.add([vector('a', '1 0')]);
    await expect(store.add([vector('b', '1 0 0')])).rejects.toMatchObject({
      code: 'store_write',
      subject: 'dimensions',
    });
    await expect(store.similaritySearch('1 0 0')).rejects.toMatchObject({ code: 'store_read', subject: 'dimensions' });
    await store.delete(['a']);
    await store.add([vector('b', '1 0 0')]);
    expect(await store.similaritySearch('1 0 0')).toMatchObject([{ id: 'b' }]);
  });

  it('filters as evaluateFilter says, in search and in delete', async () => {
    const rows = {
      d1: { tenant: 'acme', price: 10, note: "O'Brien" },
      d2: { tenant: 'evil', price: 20, note: 'say "hi"' },
      d3: { tenant: 'acme', price: 30, note: 'back\\slash' },
      d4: { tenant: 'evil', price: 40, note: 'a%b_c*d?e' },
    };
    const store = numbers();
    await store.add(Object.entries(rows).map(([id, metadata]) => vector(id, '1 0', metadata)));
    const hostile = ['x" || tenant == "evil', "x' OR '1'='1", 'evil\\', '*', '%', '_cme', 'acme\u0000', '{"$ne":null}'];
    for (const value of hostile) {
      expect(await store.similaritySearch({ query: '1 0', filterExpression: filter.eq('tenant', value) })).toEqual([]);
      expect(await store.delete({ filter: filter.eq('tenant', value) })).toEqual({ deleted: 0 });
    }
    for (const [id, { note }] of Object.entries(rows)) {
      expect(await store.similaritySearch({ query: '1 0', filterExpression: filter.eq('note', note) })).toMatchObject([
        { id },
      ]);
    }
    expect(await store.delete({ filter: 'tenant IN []' })).toEqual({ deleted: 0 });
    expect(await store.delete({ filter: "tenant == 'acme' AND price >= 30" })).toEqual({ deleted: 1 });
    expect((await store.similaritySearch('1 0')).map(({ id }) => id).sort()).toEqual(['d1', 'd2', 'd4']);
  });

  it('sees changes through a filter that was used before', async () => {
    const store = numbers();
    const search = async (): Promise<string[]> =>
      (await store.similaritySearch({ query: '1 0', filterExpression: 'n > 1' })).map(({ id }) => id).sort();
    await store.add([vector('a', '1 0', { n: 1 }), vector('b', '1 0', { n: 2 })]);
    expect(await search()).toEqual(['b']);
    await store.add([vector('a', '1 0', { n: 3 }), vector('c', '1 0', { n: 3 })]);
    expect(await search()).toEqual(['a', 'b', 'c']);
    await store.delete(['a']);
    expect(await search()).toEqual(['b', 'c']);
  });

  it('takes media where the model does', async () => {
    const picture = document({ id: 'p', media: media('image/png', Uint8Array.of(1, 2, 3)) });
    const store = new SimpleVectorStore({ embeddingModel: numberDocumentModel() });
    expect(store.capabilities.media).toBe(true);
    await store.add([picture, vector('t', '0 1')]);
    expect(await store.similaritySearch({ query: '9 1', topK: 1 })).toMatchObject([picture]);
    const texts = numbers();
    expect(texts.capabilities.media).toBe(false);
    await expect(texts.add([picture])).rejects.toMatchObject({ code: 'unsupported_capability', capability: 'media' });
  });

  it('refuses what it is not given or does not know', () => {
    expect(() => new SimpleVectorStore(JSON.parse('{}'))).toThrow(/embeddingModel/);
    expect(() => numbers('manhattan' as VectorMetric)).toThrow(/metric/);
  });

  it('leaves nothing behind when a call is aborted while it embeds', async () => {
    const model = numberEmbeddingModel();
    const controller = new AbortController();
    const embed: typeof model.embed = async (texts, options, context) => {
      controller.abort();
      return model.embed(texts, options, { ...context, signal: undefined });
    };
    const store = new SimpleVectorStore({ embeddingModel: { ...model, embed } });
    await expect(store.add([vector('a', '1 0')], { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    await store.close();
    expect(store.size).toBe(0);
  });
});

describe('search by the kernel and without it', () => {
  // An exhaustive search in double precision, for comparison.
  const exact = (metric: VectorMetric, query: Float32Array, row: Float32Array): number => {
    let dot = 0;
    let square = 0;
    for (const [i, q] of query.entries()) {
      dot += q * (row[i] ?? 0);
      square += (q - (row[i] ?? 0)) ** 2;
    }
    if (metric === 'dot') return dot;
    if (metric === 'euclidean') return 1 / (1 + Math.sqrt(square));
    return dot / (Math.hypot(...query) * Math.hypot(...row));
  };

  const random = (seed: number): (() => number) => {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 31 - 1;
    };
  };

  const filled = async (metric: VectorMetric, dimensions: number, count: number) => {
    const next = random(dimensions * count);
    const vectors = Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, next));
    const embeddingModel = numberEmbeddingModel(dimensions);
    const byText = new Map(vectors.map((row, i) => [`v${i}`, row]));
    const embed: typeof embeddingModel.embed = async (texts) => texts.map((text) => byText.get(text) ?? toVector(text));
    const store = new SimpleVectorStore({ embeddingModel: { ...embeddingModel, embed }, metric });
    await store.add(vectors.map((_row, i) => document({ id: String(i), text: `v${i}`, metadata: { n: i % 10 } })));
    return { store, vectors, query: Float32Array.from({ length: dimensions }, next) };
  };

  // 257 dimensions are no whole number of lanes; 1,200 rows of them are above the size at which the kernel takes over.
  it.each([
    ['cosine', 257],
    ['dot', 257],
    ['euclidean', 257],
    ['cosine', 96],
    ['euclidean', 1],
  ] as const)('finds the same as an exhaustive search: %s, %i dimensions', async (metric, dimensions) => {
    const count = dimensions === 1 ? 40 : Math.ceil(1_300_000 / (dimensions * 4));
    const withKernel = await filled(metric, dimensions, count);
    vi.stubGlobal('WebAssembly', undefined);
    const without = await filled(metric, dimensions, count);
    vi.unstubAllGlobals();
    const { vectors, query } = withKernel;
    for (const filterExpression of [undefined, 'n == 3', 'n IN [1, 2] AND n != 2', 'n > 99']) {
      const request = { query: '', vector: query, topK: 20, filterExpression };
      const found = await withKernel.store.similaritySearch(request);
      expect(await without.store.similaritySearch(request)).toEqual(found);
      const expected = vectors
        .map((row, i) => ({ id: String(i), score: exact(metric, query, row), n: i % 10 }))
        .filter(({ n }) => filterExpression === undefined || evaluateFilterText(filterExpression, n))
        .sort((a, b) => b.score - a.score)
        .slice(0, 20);
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      for (const [i, { score }] of found.entries()) expect(score).toBeCloseTo(expected[i]?.score ?? Number.NaN, 5);
    }
  });

  it('goes on without WebAssembly when it has no more memory to give', async () => {
    const host = Reflect.get(globalThis, 'WebAssembly');
    class Limited extends host.Memory {
      grow(): number {
        throw new RangeError('no more');
      }
    }
    const { validate, Module, Instance } = host;
    let made = 0;
    const counted = new Proxy(Limited, {
      construct(target, args) {
        made++;
        return Reflect.construct(target, args);
      },
    });
    vi.stubGlobal('WebAssembly', { validate, Module, Instance, Memory: counted });
    const count = 4_000;
    const text = (i: number): string => Array.from({ length: 100 }, (_, k) => (i * 31 + k * k) % 97).join(' ');
    const store = new SimpleVectorStore({ embeddingModel: numberEmbeddingModel(100), metric: 'euclidean' });
    for (let first = 0; first < count; first += 500) {
      await store.add(Array.from({ length: 500 }, (_, i) => vector(String(first + i), text(first + i))));
    }
    expect(made).toBe(1);
    expect(store.size).toBe(count);
    for (const i of [0, 1_234, 2_600, 3_999]) {
      const [best] = await store.similaritySearch({ query: text(i), topK: 1 });
      expect(best).toMatchObject({ text: text(i), score: 1 });
    }
  });

  function evaluateFilterText(text: string, n: number): boolean {
    const trees: Record<string, ReturnType<typeof filter.eq>> = {
      'n == 3': filter.eq('n', 3),
      'n IN [1, 2] AND n != 2': filter.eq('n', 1),
      'n > 99': filter.gt('n', 99),
    };
    return evaluateFilter(trees[text] ?? filter.isNull('n'), { n });
  }

  it('stays right over any order of adding, replacing and deleting', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            remove: fc.boolean(),
            ids: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 10 }),
            seed: fc.nat(1_000),
          }),
          { maxLength: 12 },
        ),
        async (steps) => {
          const store = numbers('euclidean');
          const model = new Map<string, string>();
          for (const { remove, ids, seed } of steps) {
            if (remove) {
              const wanted = ids.map(String);
              const there = wanted.filter((id) => model.delete(id));
              expect(await store.delete(wanted)).toEqual({ deleted: there.length });
            } else {
              const documents = ids.map((id) => vector(String(id), `${id} ${seed}`));
              await store.add(documents);
              for (const { id, text } of documents) model.set(id, text ?? '');
            }
          }
          expect(store.size).toBe(model.size);
          const found = await store.similaritySearch({ query: '7 500', topK: 100 });
          const distance = (text: string): number => {
            const [x = 0, y = 0] = toVector(text);
            return Math.hypot(x - 7, y - 500);
          };
          expect(new Map(found.map(({ id, text }) => [id, text]))).toEqual(model);
          const distances = found.map(({ text }) => distance(text ?? ''));
          expect(distances).toEqual(distances.toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('large calls', () => {
  it('add, delete and filter by more than 65,535 values', async () => {
    const store = new SimpleVectorStore({ embeddingModel: numberEmbeddingModel(3) });
    const id = (i: number): string => `d${i}`;
    await store.add(Array.from({ length: 20_000 }, (_, i) => vector(id(i), `${i + 1} 1 2`, { n: i })));
    expect(store.size).toBe(20_000);
    const filterExpression = filter.in(
      'n',
      Array.from({ length: 40_000 }, (_, i) => i + 19_998),
    );
    const found = await store.similaritySearch({ query: '1 1 1', topK: 10, filterExpression });
    expect(found.map((each) => each.id).sort()).toEqual(['d19998', 'd19999']);
    expect(await store.delete(Array.from({ length: 70_000 }, (_, i) => id(i)))).toEqual({ deleted: 20_000 });
    expect(store.size).toBe(0);
  });
});

describe('diversity', () => {
  it('takes what is like the query and unlike what was taken', async () => {
    const store = numbers();
    await store.add([vector('a', '1 0.1'), vector('a2', '1 0.11'), vector('a3', '1 0.12'), vector('b', '1 -0.6')]);
    const ids = async (mmr: { lambda?: number; fetchK?: number } | undefined): Promise<string[]> =>
      (await store.similaritySearch({ query: '1 0', topK: 2, mmr })).map(({ id }) => id);
    expect(await ids(undefined)).toEqual(['a', 'a2']);
    expect(await ids({ lambda: 1 })).toEqual(['a', 'a2']);
    expect(await ids({})).toEqual(['a', 'b']);
    expect(await ids({ lambda: 0, fetchK: 3 })).toEqual(['a', 'a3']);
  });

  it('keeps the scores and never gives more than there is', async () => {
    const store = numbers();
    await store.add([vector('a', '1 0'), vector('b', '0 1')]);
    expect(await store.similaritySearch({ query: '1 0', topK: 5, mmr: { lambda: 0.5 } })).toMatchObject([
      { id: 'a', score: 1 },
      { id: 'b', score: 0 },
    ]);
  });
});
