import { hashingEmbeddingModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';

const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  Array.from(a ?? []).reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0);
const model = hashingEmbeddingModel();

describe('hashingEmbeddingModel', () => {
  it('is deterministic, of length 1, with 64 dimensions', async () => {
    const [a, b] = await model.embed(['The weather in Delft', 'The weather in Delft']);
    expect(a).toEqual(b);
    expect(a).toHaveLength(64);
    expect(dot(a, a)).toBeCloseTo(1, 5);
    expect(await model.dimensions()).toBe(64);
    // Stored vectors of yesterday must still fit: these numbers never change.
    const [stored] = await hashingEmbeddingModel({ dimensions: 4 }).embed(['weather delft']);
    expect(Array.from(stored ?? [], (value) => Number(value.toFixed(6)))).toEqual([
      0.852803, 0.426401, -0.213201, -0.213201,
    ]);
  });

  it('puts texts that share words nearer, case and punctuation aside', async () => {
    const [query, near, far, same] = await model.embed([
      'weather in Delft today',
      'the weather of Delft is rainy',
      'stock prices fell sharply',
      'WEATHER, in (delft) today!',
    ]);
    expect(dot(query, near)).toBeGreaterThan(dot(query, far) + 0.2);
    expect(dot(query, same)).toBeCloseTo(1, 5);
  });

  it('knows words of scripts without spaces, and combined characters', async () => {
    const [query, near, far, composed, decomposed] = await model.embed([
      '東京の天気',
      '東京の雨',
      '株価が急落',
      'caf\u00e9',
      'cafe\u0301',
    ]);
    expect(dot(query, near)).toBeGreaterThan(dot(query, far) + 0.2);
    expect(composed).toEqual(decomposed);
  });

  it('never gives a zero vector', async () => {
    for (const vector of await model.embed(['', ' ', '!!!', '\u0000', '😀']))
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
    const one = hashingEmbeddingModel({ dimensions: 1 });
    for (const vector of await one.embed(['a', 'b', 'a b', 'c d e f']))
      expect(Math.abs(vector[0] ?? 0)).toBeCloseTo(1, 5);
  });

  it('takes the dimensions of the request, and refuses nonsense', async () => {
    const response = await model.call({ inputs: ['a', 'b'], options: { dimensions: 8 } });
    expect(response.embeddings.map((one) => [one.index, one.vector.length])).toEqual([
      [0, 8],
      [1, 8],
    ]);
    expect(response.metadata).toEqual({ model: 'hashing-8', usage: {} });
    expect(() => hashingEmbeddingModel({ dimensions: 0 })).toThrow(/whole number/);
    await expect(model.embed(['a'], { dimensions: 1.5 })).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(model.embed(['a'], {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });
});
