import type { EmbeddingModel } from '@vernal/core';
import { describeEmbeddingModel, hashingEmbeddingModel, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';
import { describe, expect, it } from 'vitest';
import { CollectingRunner } from './collecting-runner.js';

describeEmbeddingModel('hashingEmbeddingModel', () => ({ subject: hashingEmbeddingModel() }), {
  runner: vitestRunner(vitest),
});

describe('a broken embedding model fails the case that is about it', () => {
  const right = hashingEmbeddingModel();
  const cached = new Map<string, Float32Array>();
  it.each<[string, Partial<EmbeddingModel>, readonly string[]]>([
    [
      'reversed order',
      { embed: async (texts, ...rest) => (await right.embed(texts, ...rest)).toReversed() },
      ['embedding.order', 'embedding.call', 'embedding.over-limits'],
    ],
    [
      'no duplicates',
      { embed: (texts, ...rest) => right.embed([...new Set(texts)], ...rest) },
      ['embedding.duplicates'],
    ],
    ['wrong dimensions', { dimensions: async () => 63 }, ['embedding.dimensions']],
    ['deaf to signals', { embed: (texts, options) => right.embed(texts, options) }, ['embedding.abort']],
    [
      'shared vectors',
      {
        embed: async (texts, ...rest) => {
          const made = await right.embed(texts, ...rest);
          return texts.map((text, index) => {
            const vector = cached.get(text) ?? made[index] ?? new Float32Array();
            cached.set(text, vector);
            return vector;
          });
        },
      },
      ['embedding.own-vectors'],
    ],
    [
      'made-up counters',
      { call: async (...p) => ({ ...(await right.call(...p)), metadata: { usage: { promptTokens: Number.NaN } } }) },
      ['embedding.call'],
    ],
  ])('%s', async (_, change, expected) => {
    const runner = new CollectingRunner();
    describeEmbeddingModel('broken', () => ({ subject: { ...right, ...change } }), { runner });
    expect(await runner.run()).toEqual(expected);
  });
});
