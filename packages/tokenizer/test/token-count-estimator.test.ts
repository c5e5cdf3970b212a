import { VernalError } from '@vernal/core';
import { loadTokenCountEstimator } from '@vernal/tokenizer';
import fc from 'fast-check';
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';
import * as o200k from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { awkwardText } from './awkward-text.js';

const ORDINARY = { disallowedSpecial: new Set<string>() };

describe.each([
  ['cl100k_base' as const, cl100k],
  ['o200k_base' as const, o200k],
])('loadTokenCountEstimator(%s)', (name, reference) => {
  it('counts as the reference encoder does', async () => {
    const estimator = await loadTokenCountEstimator(name);
    // The reference takes a byte order mark for two tokens although the vocabulary has it as one.
    const text = awkwardText.filter((candidate) => !candidate.includes('\ufeff'));
    fc.assert(
      fc.property(text, (candidate) => {
        expect(estimator.count(candidate)).toBe(reference.encode(candidate, ORDINARY).length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('counts any unicode as the reference encoder does', async () => {
    const estimator = await loadTokenCountEstimator(name);
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 80 }).filter((candidate) => !candidate.includes('\ufeff')),
        (candidate) => {
          expect(estimator.count(candidate)).toBe(reference.encode(candidate, ORDINARY).length);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('counts words beyond what it keeps in memory', async () => {
    const estimator = await loadTokenCountEstimator(name);
    const words = Array.from({ length: 70_000 }, (_, index) => ` w${(index * 7_919).toString(36)}`).join('');
    const expected = reference.encode(words, ORDINARY).length;
    expect(estimator.count(words)).toBe(expected);
    expect(estimator.count(words)).toBe(expected);
  });

  it('takes names of special tokens for text', async () => {
    const estimator = await loadTokenCountEstimator(name);
    expect(estimator.count('<|endoftext|>')).toBeGreaterThan(1);
    const text = 'Before <|endoftext|> after. Repeat: <|endoftext|><|endoftext|>';
    expect(estimator.count(text)).toBe(reference.encode(text, ORDINARY).length);
  });

  it('is quick on long runs without separators', async () => {
    const estimator = await loadTokenCountEstimator(name);
    expect(estimator.count('a'.repeat(150_000))).toBe(150_000 / 8);
    expect(estimator.count('0123456789'.repeat(10_000))).toBe(Math.ceil(100_000 / 3));
    expect(estimator.count('漢'.repeat(50_000))).toBeGreaterThanOrEqual(50_000);
  });
});

describe('loadTokenCountEstimator', () => {
  it('uses cl100k_base unless told otherwise', async () => {
    const estimator = await loadTokenCountEstimator();
    expect(estimator.count('こんにちは世界')).toBe(cl100k.encode('こんにちは世界').length);
    expect(estimator.count('')).toBe(0);
  });

  it('has a token for the byte order mark', async () => {
    expect((await loadTokenCountEstimator()).count('\ufeff')).toBe(1);
  });

  it('reads a run of millions of letters without overflowing', async () => {
    expect((await loadTokenCountEstimator()).count('漢'.repeat(1_500_000))).toBeGreaterThan(1_500_000);
  });

  it('refuses an encoding it does not have, and names those it has', async () => {
    const name: string = 'p50k_base';
    const error = await loadTokenCountEstimator(name as 'cl100k_base').catch((caught: unknown) => caught);
    expect(VernalError.is(error) && error.code).toBe('invalid_argument');
    expect(String(error)).toContain('cl100k_base, o200k_base');
  });
});
