import type { EmbeddingModel } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';

/** Embeds texts whose last line is numbers, '1 0 0.5', as those numbers; others by hashing into `dimensions`. */
export function numbersModel(dimensions = 3): EmbeddingModel {
  const hashing = hashingEmbeddingModel({ dimensions });
  return {
    ...hashing,
    async embed(texts, options, context) {
      const said = texts.map((text) => numbersOf(text.split('\n').at(-1) ?? ''));
      const words = texts.filter((_, index) => said[index] === undefined);
      const hashed = await hashing.embed(words, options, context);
      return said.map((numbers) => numbers ?? hashed.shift() ?? new Float32Array(dimensions));
    },
  };
}

function numbersOf(line: string): Float32Array | undefined {
  const numbers = line.split(' ').map(Number);
  return line === '' || numbers.some(Number.isNaN) ? undefined : Float32Array.from(numbers);
}
