import type { Document, EmbeddingModel } from '@vernal/core';
import { document } from '@vernal/core';
import { numberEmbeddingModel } from './number-embedding-model.js';

/** Numbers from 0 to 1, the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Normally distributed in every direction, or around so many centres. */
export function randomVectors(seed: number, count: number, dimensions: number, centres = 0): Float32Array[] {
  const next = seededNumbers(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next());
  const middles = Array.from({ length: centres }, () => Float32Array.from({ length: dimensions }, normal));
  return Array.from({ length: count }, () => {
    const middle = middles[Math.floor(next() * centres)];
    return Float32Array.from({ length: dimensions }, (_, i) =>
      middle === undefined ? normal() : (middle[i] ?? 0) + 0.3 * normal(),
    );
  });
}

/** The text of a document is the number of its vector. */
export function preparedModel(vectors: readonly Float32Array[]): EmbeddingModel {
  const dimensions = vectors[0]?.length ?? 0;
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> =>
    texts.map((text) => vectors[Number(text)] ?? new Float32Array(dimensions));
  return { ...numberEmbeddingModel(dimensions), embed };
}

/** Documents for the vectors from `first` to `end`, with their number in the metadata, and its rest by 2 and by 10. */
export function numbered(first: number, end: number): Document[] {
  return Array.from({ length: end - first }, (_, i) => {
    const n = first + i;
    return document({ id: `d${n}`, text: String(n), metadata: { n, half: n % 2, part: n % 10 } });
  });
}
