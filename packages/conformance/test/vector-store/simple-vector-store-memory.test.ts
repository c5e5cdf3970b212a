import { SimpleVectorStore } from '@vernal/vector-store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { numbered, preparedModel, randomVectors } from './prepared-vectors.js';
import { watchWebAssembly } from './web-assembly-watch.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('memory of vectors', () => {
  const dimensions = 384;
  const raw = 4 * dimensions;

  it('is below 1.15 times the numbers themselves, at every size', async () => {
    const watch = watchWebAssembly();
    const vectors = randomVectors(1, 500, dimensions);
    const repeated = Array.from({ length: 24_000 }, (_, i) => vectors[i % 500] ?? new Float32Array(dimensions));
    const store = new SimpleVectorStore({ embeddingModel: preparedModel(repeated) });
    for (let size = 0; size < repeated.length; size += 400) {
      await store.add(numbered(size, size + 400));
      if (store.size < 1_200) continue;
      expect(watch.memories).toHaveLength(1);
      const bytes = watch.memories[0]?.buffer.byteLength ?? 0;
      expect(bytes).toBeGreaterThan(store.size * raw);
      expect(bytes / (store.size * raw)).toBeLessThan(1.15);
    }
  });

  it('is used again when documents are replaced, and deleted and added', async () => {
    const watch = watchWebAssembly();
    const store = new SimpleVectorStore({ embeddingModel: preparedModel(randomVectors(2, 2_000, dimensions)) });
    await store.add(numbered(0, 2_000));
    const bytes = watch.memories[0]?.buffer.byteLength ?? 0;
    for (let round = 0; round < 5; round++) {
      await store.add(numbered(0, 500));
      await store.delete({ filter: 'half == 1' });
      await store.add(numbered(0, 2_000));
    }
    expect(store.size).toBe(2_000);
    expect(watch.memories.map(({ buffer }) => buffer.byteLength)).toEqual([bytes]);
  });
});
