import type { EmbeddingModel } from '@vernal/core';
import { AnswerSimilarityEvaluator } from '@vernal/evaluation';
import { hashingEmbeddingModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { coded } from './samples.js';

const embeddingModel = hashingEmbeddingModel({ dimensions: 512 });
const fixed = (...vectors: number[][]): EmbeddingModel => ({
  ...embeddingModel,
  call: async () => ({
    embeddings: vectors.map((vector, index) => ({ vector: Float32Array.from(vector), index })),
    metadata: { model: 'fixed', usage: { promptTokens: 7, native: 1n } },
  }),
});

describe('the answer similarity evaluator', () => {
  it('is the cosine of both embeddings', async () => {
    const evaluator = new AnswerSimilarityEvaluator({ embeddingModel });
    const same = await evaluator.evaluate({ response: 'Thirty-one days', reference: 'thirty-one days!' });
    expect(same.pass).toBe(true);
    expect(same.score).toBeCloseTo(1);
    const other = await evaluator.evaluate({ response: 'Thirty-one days', reference: 'Lunch at noon' });
    expect(other.pass).toBe(false);
    expect(other.score).toBeLessThan(0.5);
  });

  it('does not depend on lengths, and is 0 below 0', async () => {
    const of = async (...vectors: number[][]) =>
      new AnswerSimilarityEvaluator({ embeddingModel: fixed(...vectors), threshold: 0.6 }).evaluate({
        response: 'a',
        reference: 'b',
      });
    // 3 * 4 / (5 * 4)
    expect(await of([3, 4], [4, 0])).toMatchObject({ verdict: 'pass', usage: { promptTokens: 7 }, model: 'fixed' });
    expect((await of([3, 4], [4, 0])).score).toBeCloseTo(0.6);
    expect(await of([1, 0], [-2, 0])).toMatchObject({ score: 0, metadata: { cosine: -1 }, verdict: 'fail' });
    expect((await of([0, 0], [1, 0])).verdict).toBe('inconclusive');
    expect((await of([1, 0])).verdict).toBe('inconclusive');
  });

  it('needs a reference, and fails without an answer', async () => {
    const evaluator = new AnswerSimilarityEvaluator({ embeddingModel });
    await expect(evaluator.evaluate({ response: 'a' })).rejects.toEqual(coded('invalid_argument', 'reference'));
    expect((await evaluator.evaluate({ response: '', reference: 'b' })).verdict).toBe('fail');
    expect(() => new AnswerSimilarityEvaluator({ embeddingModel, threshold: 2 })).toThrow(coded('invalid_argument'));
    expect(() => new AnswerSimilarityEvaluator({} as never)).toThrow(coded('invalid_argument', 'embeddingModel'));
  });
});
