import { describeVectorStore, vitestRunner } from '@vernal/testing';
import type { VectorMetric } from '@vernal/vector-store';
import { SimpleVectorStore } from '@vernal/vector-store';
import fc from 'fast-check';
import * as vitest from 'vitest';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MemoryResource } from './memory-resource.js';
import { numbered, preparedModel, randomVectors } from './prepared-vectors.js';
import { watchWebAssembly } from './web-assembly-watch.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

function pair(vectors: readonly Float32Array[], metric: VectorMetric) {
  const embeddingModel = preparedModel(vectors);
  const exact = new SimpleVectorStore({ embeddingModel, metric });
  const store = new SimpleVectorStore({ embeddingModel, metric, int8Scan: true });
  return { exact, store, both: [exact, store] };
}

async function sameResults(exact: SimpleVectorStore, store: SimpleVectorStore, queries: readonly Float32Array[]) {
  for (const vector of queries) {
    for (const topK of [1, 10, 60]) {
      const request = { query: '', vector, topK };
      expect(await store.similaritySearch(request)).toEqual(await exact.similaritySearch(request));
    }
  }
}

describe('a scan of one byte a dimension', () => {
  it.each<[VectorMetric, number, number]>([
    ['cosine', 96, 0],
    ['dot', 100, 0],
    ['euclidean', 130, 0],
    ['cosine', 257, 20],
    ['euclidean', 96, 20],
    ['dot', 16, 5],
  ])('finds what an exact search finds: %s, %i dimensions', async (metric, dimensions, centres) => {
    const count = Math.ceil(1_200_000 / (4 * dimensions));
    const vectors = randomVectors(dimensions, count + 10, dimensions, centres);
    const { exact, store, both } = pair(vectors, metric);
    for (const each of both) await each.add(numbered(0, count));
    await sameResults(exact, store, vectors.slice(count));
    for (const each of both) {
      await each.add(numbered(0, 50).map((given, i) => ({ ...given, text: String(count - 1 - i) })));
      await each.delete({ filter: 'part == 3' });
    }
    await sameResults(exact, store, vectors.slice(count));
    const file = new MemoryResource();
    await store.save(file);
    await store.load(file);
    await sameResults(exact, store, vectors.slice(count));
  });

  it('scores few vectors by all their numbers', async () => {
    const watch = watchWebAssembly();
    const vectors = randomVectors(21, 4_020, 96);
    const { store } = pair(vectors, 'cosine');
    await store.add(numbered(0, 4_000));
    for (const vector of vectors.slice(4_000)) await store.similaritySearch({ query: '', vector, topK: 10 });
    expect(watch.scored / 20).toBeGreaterThanOrEqual(18);
    expect(watch.scored / 20).toBeLessThan(200);
  });

  it('takes a third more memory at most', async () => {
    const watch = watchWebAssembly();
    const vectors = randomVectors(22, 500, 384);
    const { store } = pair(
      Array.from({ length: 8_000 }, (_, i) => vectors[i % 500] ?? new Float32Array(384)),
      'dot',
    );
    for (let first = 0; first < 8_000; first += 400) await store.add(numbered(first, first + 400));
    const [rows, codes] = watch.memories.map(({ buffer }) => buffer.byteLength).toSorted((a, b) => b - a);
    expect(watch.memories).toHaveLength(2);
    expect(Number(rows) / (8_000 * 384 * 4)).toBeLessThan(1.15);
    expect(Number(codes) / (8_000 * 384)).toBeLessThan(1.15);
  });

  it('misses nothing whatever the numbers are', async () => {
    const numbers = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.float({ noNaN: true, min: -10, max: 10 }),
      fc.constantFrom(0, 1e-44, -1e-39, 1e-20, 3e8, -1e9),
    );
    const vector = fc.array(numbers, { minLength: 3, maxLength: 3 }).map((values) => Float32Array.from(values));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<VectorMetric>('dot', 'euclidean'),
        fc.array(vector, { minLength: 1, maxLength: 40 }),
        fc.array(vector, { minLength: 1, maxLength: 3 }),
        fc.uniqueArray(fc.nat(39), { maxLength: 10 }),
        async (metric, vectors, queries, removed) => {
          const { exact, store, both } = pair(vectors, metric);
          for (const each of both) {
            await each.add(numbered(0, vectors.length));
            await each.delete(removed.map((n) => `d${n}`));
          }
          for (const query of queries) {
            const scores = async (of: SimpleVectorStore) =>
              (await of.similaritySearch({ query: '', vector: query, topK: 3 })).map(({ score }) => score);
            expect(await scores(store)).toEqual(await scores(exact));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('knows how far off a rounded vector may be', async () => {
    // With a 1 in front a step is 1 / 127: what is below half of it is gone, and adds up to more than what is seen of the others.
    const hidden = Float32Array.from({ length: 96 }, (_, i) => (i === 0 ? 1 : 0.49 / 127));
    const seen = Array.from({ length: 30 }, () => Float32Array.from({ length: 96 }, (_, i) => [1, 40 / 127][i] ?? 0));
    const query = Float32Array.from({ length: 96 }, (_, i) => (i === 0 ? 0 : 1));
    for (const metric of ['dot', 'euclidean'] as const) {
      const { store } = pair([...seen, hidden], metric);
      await store.add(numbered(0, 31));
      const [best] = await store.similaritySearch({ query: '', vector: query, topK: 1 });
      expect(best?.id).toBe('d30');
    }
  });

  it('does without where there is no WebAssembly, or no more memory', async () => {
    const vectors = randomVectors(23, 3_010, 96);
    const host = Reflect.get(globalThis, 'WebAssembly');
    class Limited extends host.Memory {
      grow(): number {
        throw new RangeError('no more');
      }
    }
    for (const stub of [undefined, { ...watched(host), Memory: Limited }]) {
      vi.stubGlobal('WebAssembly', stub);
      const { exact, store, both } = pair(vectors, 'euclidean');
      for (const each of both) await each.add(numbered(0, 3_000));
      await sameResults(exact, store, vectors.slice(3_000));
      vi.unstubAllGlobals();
    }
  });

  function watched({ validate, Module, Instance }: Readonly<Record<'validate' | 'Module' | 'Instance', unknown>>) {
    return { validate, Module, Instance };
  }
});

describeVectorStore(
  'SimpleVectorStore with a scan of one byte a dimension',
  ({ embeddingModel }) => ({ subject: new SimpleVectorStore({ embeddingModel, int8Scan: true }) }),
  { runner: vitestRunner(vitest) },
);
