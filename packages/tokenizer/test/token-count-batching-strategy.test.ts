import { BatchError, document, type TokenCountEstimator } from '@vernal/core';
import { TokenCountBatchingStrategy } from '@vernal/tokenizer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** A token a character, so that the numbers can be read. */
const estimator: TokenCountEstimator = { count: (text) => text.length };
const texts = (batches: ReturnType<TokenCountBatchingStrategy['batch']>): (string | undefined)[][] =>
  batches.map((batch) => batch.map((entry) => entry.text));

describe('TokenCountBatchingStrategy', () => {
  it('fills batches in order, up to and including the limit', () => {
    const batching = new TokenCountBatchingStrategy({ estimator, maxTokens: 10, reserve: 0 });
    const documents = ['aaaa', 'bbbbbb', 'c', 'dddddddddd', 'e'].map((text) => document(text));
    expect(texts(batching.batch(documents))).toEqual([['aaaa', 'bbbbbb'], ['c'], ['dddddddddd'], ['e']]);
    expect(batching.batch([])).toEqual([]);
  });

  it('takes 8,191 tokens less a tenth by default: 7,372', () => {
    const batching = new TokenCountBatchingStrategy({ estimator });
    expect(batching.batch([document('x'.repeat(7_372))])).toHaveLength(1);
    expect(() => batching.batch([document('x'.repeat(7_373))])).toThrow(/7372/);
  });

  it('counts what is sent: metadata by the mode, without what is excluded', () => {
    const documents = Array.from({ length: 2 }, () =>
      document({ text: 'body', metadata: { k: 'v' }, format: { excludedEmbedMetadataKeys: ['k'] } }),
    );
    const count = (metadataMode: 'embed' | 'all') =>
      new TokenCountBatchingStrategy({ estimator, maxTokens: 10, reserve: 0, metadataMode }).batch(documents).length;
    expect(count('embed')).toBe(1);
    expect(count('all')).toBe(2);
  });

  it('keeps to the number of inputs', () => {
    const batching = new TokenCountBatchingStrategy({ estimator, maxInputs: 2 });
    expect(batching.batch(Array.from({ length: 5 }, () => document('x'))).map((batch) => batch.length)).toEqual([
      2, 2, 1,
    ]);
  });

  it('keeps the same document given twice', () => {
    const twice = document('same');
    expect(new TokenCountBatchingStrategy({ estimator }).batch([twice, twice])).toEqual([[twice, twice]]);
  });

  it('names every document that is too long, and gives no batch', () => {
    const batching = new TokenCountBatchingStrategy({ estimator, maxTokens: 5, reserve: 0 });
    const documents = [
      document({ id: 'a', text: '123456' }),
      document({ id: 'b', text: '1' }),
      document({ id: 'c', text: '1234567' }),
    ];
    try {
      batching.batch(documents);
      expect.unreachable();
    } catch (error) {
      expect(BatchError.is(error) && error.failedIds).toEqual(['a', 'c']);
      expect(String(error)).not.toContain('123456');
    }
  });

  it('loses nothing and stays within both limits', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 })), fc.integer({ min: 1, max: 6 }), (sizes, maxInputs) => {
        const documents = sizes.map((size) => document('x'.repeat(size)));
        const batches = new TokenCountBatchingStrategy({ estimator, maxTokens: 20, reserve: 0, maxInputs }).batch(
          documents,
        );
        expect(batches.flat()).toEqual(documents);
        for (const batch of batches) {
          expect(batch.length).toBeGreaterThan(0);
          expect(batch.length).toBeLessThanOrEqual(maxInputs);
          expect(batch.reduce((sum, entry) => sum + (entry.text?.length ?? 0), 0)).toBeLessThanOrEqual(20);
        }
      }),
    );
  });

  it.each([
    ['maxTokens', { maxTokens: 0 }],
    ['reserve', { reserve: 1 }],
    ['reserve', { reserve: -0.1 }],
    ['maxInputs', { maxInputs: 0 }],
  ])('refuses a bad %s', (subject, options) => {
    expect(() => new TokenCountBatchingStrategy({ estimator, ...options })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });
});
