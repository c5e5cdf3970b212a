import type { SimpleVectorStoreOptions, VectorMetric } from '@vernal/vector-store';
import { SimpleVectorStore } from '@vernal/vector-store';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MemoryResource } from './memory-resource.js';
import { numbered, preparedModel, randomVectors } from './prepared-vectors.js';
import { watchWebAssembly } from './web-assembly-watch.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

const found = async (store: SimpleVectorStore, vector: Float32Array, filterExpression?: string, topK = 10) =>
  (await store.similaritySearch({ query: '', vector, topK, filterExpression })).map(({ id }) => id);

/** How many of the ten nearest are found, of all queries. */
async function recall(
  store: SimpleVectorStore,
  exact: SimpleVectorStore,
  queries: readonly Float32Array[],
  filterExpression?: string,
): Promise<number> {
  let hits = 0;
  let all = 0;
  for (const query of queries) {
    const right = await found(exact, query, filterExpression);
    const given = new Set(await found(store, query, filterExpression));
    hits += right.filter((id) => given.has(id)).length;
    all += right.length;
  }
  return hits / all;
}

async function pair(
  vectors: readonly Float32Array[],
  count: number,
  options: Partial<SimpleVectorStoreOptions>,
): Promise<{ exact: SimpleVectorStore; store: SimpleVectorStore }> {
  const embeddingModel = preparedModel(vectors);
  const exact = new SimpleVectorStore({ embeddingModel, metric: options.metric });
  const store = new SimpleVectorStore({ embeddingModel, hnsw: { aboveSize: 0 }, ...options });
  for (const each of [exact, store]) await each.add(numbered(0, count));
  await store.indexed();
  return { exact, store };
}

describe('search by the index', () => {
  // With 136 dimensions the vectors are above the size at which the kernel takes over; with 12 they are below.
  it.each<[string, VectorMetric, number, number, number]>([
    ['random', 'cosine', 12, 0, 64],
    ['random', 'euclidean', 12, 0, 64],
    ['random', 'dot', 136, 0, 200],
    ['random', 'euclidean', 136, 0, 200],
    ['clustered', 'cosine', 136, 40, 64],
    ['clustered', 'euclidean', 136, 40, 64],
    ['clustered', 'dot', 12, 40, 64],
  ])('finds 95 of 100: %s, %s, %i dimensions', async (_kind, metric, dimensions, centres, efSearch) => {
    const vectors = randomVectors(dimensions + centres, 2_040, dimensions, centres);
    const { exact, store } = await pair(vectors, 2_000, { metric, hnsw: { aboveSize: 0, efSearch } });
    expect(await recall(store, exact, vectors.slice(2_000))).toBeGreaterThanOrEqual(0.95);
    await store.close();
  });

  it('looks at a small part of the vectors, exact search at all', async () => {
    const watch = watchWebAssembly();
    const vectors = randomVectors(3, 3_020, 96, 30);
    const { exact, store } = await pair(vectors, 3_000, { hnsw: { aboveSize: 0, m: 8, efSearch: 32 } });
    const scored = async (searched: SimpleVectorStore): Promise<number> => {
      const before = watch.scored;
      for (const query of vectors.slice(3_000)) await found(searched, query);
      return (watch.scored - before) / 20;
    };
    expect(await scored(exact)).toBe(3_000);
    expect(await scored(store)).toBeLessThan(600);
    await store.close();
  });

  it('is the same for the same documents in the same order', async () => {
    const vectors = randomVectors(4, 820, 24);
    const hnsw = { aboveSize: 0, m: 4, efConstruction: 10, efSearch: 10 };
    const one = await pair(vectors, 800, { hnsw });
    const two = await pair(vectors, 800, { hnsw });
    const results = (store: SimpleVectorStore) => Promise.all(vectors.slice(800).map((query) => found(store, query)));
    expect(await results(two.store)).toEqual(await results(one.store));
    // So narrow a search misses something: what was compared is not what an exact search would have found.
    expect(await results(one.store)).not.toEqual(await results(one.exact));
  });

  it('holds crowds of equal vectors together', async () => {
    const distinct = randomVectors(5, 8, 16);
    const vectors = Array.from({ length: 1_200 }, (_, i) => distinct[i % 8] ?? new Float32Array(16));
    const { store } = await pair(vectors, 1_200, {});
    for (const [k, query] of distinct.entries()) {
      const hits = await store.similaritySearch({ query: '', vector: query, topK: 20 });
      expect(hits.map(({ score, metadata }) => [score, Number(metadata['n']) % 8])).toEqual(Array(20).fill([1, k]));
    }
  });

  it('gives exact scores, a threshold, MMR and hybrid as an exact store does', async () => {
    const vectors = randomVectors(6, 610, 16, 12);
    const { exact, store } = await pair(vectors, 600, { hnsw: { aboveSize: 0, efSearch: 300 } });
    for (const query of vectors.slice(600)) {
      for (const more of [{}, { similarityThreshold: 0.9 }, { mmr: { lambda: 0.3 } }, { mode: 'hybrid' } as const]) {
        const request = { query: '7', vector: query, topK: 5, ...more };
        expect(await store.similaritySearch(request)).toEqual(await exact.similaritySearch(request));
      }
    }
  });
});

describe('a filter', () => {
  it('never starves, whether it lets through one, a tenth or half', async () => {
    const vectors = randomVectors(7, 3_020, 48, 30);
    const hnsw = { aboveSize: 0, m: 4, efConstruction: 60, efSearch: 20 };
    const { exact, store } = await pair(vectors, 3_000, { hnsw });
    const queries = vectors.slice(3_000);
    for (const filter of ['n == 77', 'n < 5', 'part == 3', 'n > 5000']) {
      for (const query of queries) expect(await found(store, query, filter)).toEqual(await found(exact, query, filter));
    }
    for (const filter of ['half == 1', 'half == 1 OR part < 6']) {
      for (const query of queries) expect(await found(store, query, filter)).toHaveLength(10);
      expect(await recall(store, exact, queries, filter)).toBeGreaterThanOrEqual(0.9);
    }
  });

  it('finds everything it lets through when all of it is far from the query', async () => {
    // Two crowds; the filter keeps out the one in which the query is.
    const near = randomVectors(8, 1_500, 8).map((vector) => vector.map((x, i) => x + (i === 0 ? 100 : 0)));
    const far = randomVectors(9, 1_500, 8).map((vector) => vector.map((x, i) => x - (i === 0 ? 100 : 0)));
    const vectors = [...near, ...far];
    const hnsw = { aboveSize: 0, m: 2, efConstruction: 20, efSearch: 10 };
    const { store } = await pair(vectors, 3_000, { metric: 'euclidean', hnsw });
    for (const query of near.slice(0, 20)) {
      const ids = await found(store, query, 'n >= 1500', 10);
      expect(ids).toHaveLength(10);
      expect(ids.every((id) => Number(id.slice(1)) >= 1_500)).toBe(true);
    }
  });
});

describe('an index under changes', () => {
  const hnsw = { aboveSize: 0, m: 8, efConstruction: 60, efSearch: 60 };

  it('searches what it does not know yet exactly', async () => {
    const vectors = randomVectors(10, 1_300, 16);
    const { exact, store } = await pair(vectors, 1_000, { hnsw });
    for (const each of [exact, store]) await each.add(numbered(1_000, 1_300));
    // Each is the nearest to itself, at once.
    for (const n of [1_000, 1_150, 1_299]) {
      expect(await found(store, vectors[n] ?? new Float32Array(16), undefined, 1)).toEqual([`d${n}`]);
    }
    const fresh = new SimpleVectorStore({ embeddingModel: preparedModel(vectors), hnsw });
    await fresh.add(numbered(0, 1_300));
    for (const query of vectors.slice(0, 10)) expect(await found(fresh, query)).toEqual(await found(exact, query));
    await store.close();
    await fresh.close();
  });

  it('forgets what was deleted and replaced, and finds the rest', async () => {
    const vectors = randomVectors(11, 2_000, 16);
    const { exact, store } = await pair(vectors, 1_500, { hnsw });
    const moved = numbered(0, 200).map((each, i) => ({ ...each, text: String(1_500 + i) }));
    for (const each of [exact, store]) {
      expect(await each.delete({ filter: 'n >= 300 AND n < 500' })).toEqual({ deleted: 200 });
      await each.add(moved);
    }
    await store.indexed();
    const queries = vectors.slice(1_700, 1_740);
    expect(await recall(store, exact, queries)).toBeGreaterThanOrEqual(0.95);
    for (const n of [0, 100, 199]) {
      expect(await found(store, vectors[1_500 + n] ?? new Float32Array(16), undefined, 1)).toEqual([`d${n}`]);
    }
    // Most of what the graph was made of goes: it is made anew.
    for (const each of [exact, store]) await each.delete({ filter: 'n >= 600' });
    await store.indexed();
    expect(store.size).toBe(400);
    expect(await recall(store, exact, queries)).toBeGreaterThanOrEqual(0.95);
  });

  it('finds its way past what was deleted', async () => {
    const vectors = randomVectors(17, 2_040, 12);
    const narrow = { aboveSize: 0, m: 4, efConstruction: 40, efSearch: 24 };
    const { exact, store } = await pair(vectors, 2_000, { hnsw: narrow });
    const queries = vectors.slice(2_000);
    const before = await recall(store, exact, queries);
    for (const each of [exact, store]) await each.delete({ filter: 'part IN [3, 7]' });
    expect(before).toBeLessThan(1);
    expect(await recall(store, exact, queries)).toBeGreaterThanOrEqual(before);
  });

  it('stays right over any order of adding, replacing, deleting and indexing', async () => {
    const vectors = randomVectors(12, 400, 4);
    const steps = fc.array(
      fc.record({
        what: fc.constantFrom('add', 'move', 'remove', 'index'),
        ids: fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 15 }),
        shift: fc.nat(350),
      }),
      { maxLength: 14 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const embeddingModel = preparedModel(vectors);
        const exact = new SimpleVectorStore({ embeddingModel, metric: 'euclidean' });
        const store = new SimpleVectorStore({ embeddingModel, metric: 'euclidean', hnsw: { aboveSize: 0 } });
        for (const { what, ids, shift } of list) {
          if (what === 'index') await store.indexed();
          for (const each of [exact, store]) {
            if (what === 'remove') await each.delete(ids.map((id) => `d${id}`));
            if (what === 'add' || what === 'move') {
              const by = what === 'add' ? 0 : shift;
              await each.add(ids.map((id) => ({ id: `d${id}`, text: String(id + by), metadata: {} })));
            }
          }
          for (const query of vectors.slice(390)) {
            const right = await exact.similaritySearch({ query: '', vector: query, topK: 5 });
            expect(await store.similaritySearch({ query: '', vector: query, topK: 5 })).toEqual(right);
          }
        }
        await store.close();
      }),
      { numRuns: 40 },
    );
  });

  it('is made again for what was loaded, and does not change what is saved', async () => {
    const vectors = randomVectors(13, 1_020, 16);
    const { exact, store } = await pair(vectors, 1_000, { hnsw });
    const [plain, indexed] = [new MemoryResource(), new MemoryResource()];
    await exact.save(plain);
    indexed.onChunk = () => store.delete({ filter: 'half == 0' }).then(() => {});
    await store.save(indexed);
    expect(Buffer.from(indexed.content).equals(Buffer.from(plain.content))).toBe(true);
    expect(store.size).toBe(500);
    await store.load(indexed);
    await store.indexed();
    expect(store.size).toBe(1_000);
    expect(await recall(store, exact, vectors.slice(1_000))).toBeGreaterThanOrEqual(0.95);
  });
});

describe('building an index', () => {
  it('lets others have their turn, stops waiting when the signal fires, and ends with the store', async () => {
    const vectors = randomVectors(14, 3_000, 16);
    const store = new SimpleVectorStore({ embeddingModel: preparedModel(vectors), hnsw: { aboveSize: 0 } });
    await store.add(numbered(0, 3_000));
    let over = false;
    const building = store.indexed().then(() => {
      over = true;
    });
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(over).toBe(false);
    const controller = new AbortController();
    const waiting = store.indexed({ signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    await expect(store.indexed({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    expect(over).toBe(false);
    await store.close();
    await building;
    await expect(store.indexed()).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('starts above the size that was given', async () => {
    const watch = watchWebAssembly();
    const vectors = randomVectors(15, 3_010, 96, 20);
    const hnsw = { aboveSize: 2_999, m: 4, efConstruction: 20, efSearch: 10 };
    const store = new SimpleVectorStore({ embeddingModel: preparedModel(vectors), hnsw });
    const query = vectors[3_005] ?? new Float32Array(96);
    await store.add(numbered(0, 2_999));
    const before = watch.scored;
    await store.indexed();
    expect(watch.scored).toBe(before);
    await found(store, query);
    expect(watch.scored - before).toBe(2_999);
    await store.add(numbered(2_999, 3_000));
    await store.indexed();
    const built = watch.scored;
    await found(store, query);
    expect(watch.scored - built).toBeLessThan(1_000);
    await store.delete(['d0']);
    const again = watch.scored;
    await found(store, query);
    expect(watch.scored - again).toBe(2_999);
  });

  it('gives up with a warning where it cannot go on, and searches are exact', async () => {
    const watch = watchWebAssembly();
    const vectors = randomVectors(16, 3_010, 96);
    const warnings: string[] = [];
    const logger = { debug() {}, info() {}, warn: (message: string) => warnings.push(message) };
    const embeddingModel = preparedModel(vectors);
    const hnsw = { aboveSize: 0, m: 4, efConstruction: 10, efSearch: 10 };
    const store = new SimpleVectorStore({ embeddingModel, logger, hnsw });
    await store.add(numbered(0, 3_000));
    watch.fails = true;
    await store.indexed();
    watch.fails = false;
    expect(warnings).toEqual([expect.stringContaining('searches are exact')]);
    const exact = new SimpleVectorStore({ embeddingModel });
    await exact.add(numbered(0, 3_000));
    for (const query of vectors.slice(3_000)) expect(await found(store, query)).toEqual(await found(exact, query));
    await store.delete(['d0']);
    await store.add(numbered(0, 5));
    await store.indexed();
    expect(warnings).toHaveLength(1);
  });

  it('refuses what is out of range', () => {
    const make = (hnsw: SimpleVectorStoreOptions['hnsw']) => () =>
      new SimpleVectorStore({ embeddingModel: preparedModel([]), hnsw });
    const bad = [
      [{ aboveSize: -1 }, /hnsw\.aboveSize/],
      [JSON.parse('{}'), /hnsw\.aboveSize/],
      [JSON.parse('null'), /hnsw/],
      [{ aboveSize: 0, m: 1 }, /hnsw\.m/],
      [{ aboveSize: 0, m: 32, efConstruction: 31 }, /hnsw\.efConstruction/],
      [{ aboveSize: 0, efSearch: 0 }, /hnsw\.efSearch/],
      [{ aboveSize: 0.5 }, /hnsw\.aboveSize/],
    ] as const;
    for (const [hnsw, message] of bad) expect(make(hnsw)).toThrow(message);
    expect(make({ aboveSize: 0, m: 128 })).not.toThrow();
    expect(make(undefined)).not.toThrow();
  });
});
