import type { Document } from '@vernal/core';
import { document, media } from '@vernal/core';
import { dedupe, query } from '@vernal/rag';
import { hashingEmbeddingModel } from '@vernal/testing';
import { wordsOf } from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const docs = (...texts: string[]): Document[] => texts.map((text, i) => document({ id: `${i}`, text }));
const ids = (found: readonly Document[]): string[] => found.map(({ id }) => id);
const q = query('q');

/** Pairs of neighbouring words as sets, compared one by one. */
function naive(documents: readonly Document[], similarity: number): string[] {
  const pairsOf = (text: string): Set<string> => {
    const words = wordsOf(text);
    return new Set(
      words.length < 2 ? [words[0] ?? `raw ${text.trim()}`] : words.slice(1).map((word, i) => `${words[i]} ${word}`),
    );
  };
  const kept: { readonly id: string; readonly pairs: Set<string> }[] = [];
  for (const { id, text = '' } of documents) {
    const pairs = pairsOf(text);
    const isLike = kept.some((one) => {
      const shared = [...pairs].filter((pair) => one.pairs.has(pair)).length;
      return shared / (pairs.size + one.pairs.size - shared) >= similarity - 1e-9;
    });
    if (!isLike) kept.push({ id, pairs });
  }
  return kept.map(({ id }) => id);
}

describe('dedupe', () => {
  it('keeps the first of what is the same but for case, width, punctuation and white space', async () => {
    const given = docs(
      'Returns are free.',
      'The sky is blue.',
      'returns  ARE\nfree!',
      'Ｒｅｔｕｒｎｓ are free',
      'Returns are not free.',
    );
    const found = await dedupe().process(q, given);
    expect(ids(found)).toEqual(['0', '1', '4']);
    expect(found[0]).toBe(given[0]);
  });

  it('takes a long text with one other word for the same, and a short one not', async () => {
    const long = Array.from({ length: 100 }, (_, i) => `word${i}`);
    const changed = long.with(50, 'other');
    expect(ids(await dedupe().process(q, docs(long.join(' '), changed.join(' '))))).toEqual(['0']);
    expect(ids(await dedupe().process(q, docs('red roses', 'white roses')))).toEqual(['0', '1']);
    expect(ids(await dedupe({ similarity: 1 }).process(q, docs(long.join(' '), changed.join(' '))))).toEqual([
      '0',
      '1',
    ]);
  });

  it('works for scripts without spaces, single words and texts without words', async () => {
    const given = docs(
      '敏捷的棕色狐狸跳过懒狗',
      '敏捷的棕色狐狸跳过懒狗。',
      '懒狗',
      '懒狗!',
      'yes',
      'Yes.',
      '!!!',
      '!!!',
      '???',
    );
    expect(ids(await dedupe().process(q, given))).toEqual(['0', '2', '4', '6', '8']);
  });

  it('keeps documents without text, and what was dropped drops nothing', async () => {
    const picture = (id: string) => document({ id, media: media('image/png', new Uint8Array([1])) });
    expect(ids(await dedupe().process(q, [picture('a'), picture('b')]))).toEqual(['a', 'b']);
    // b is like a, c is like b and not like a.
    const [a, b, c] = ['1 2 3 4 5 6', '2 3 4 5 6 7', '3 4 5 6 7 8'];
    expect(ids(await dedupe({ similarity: 0.6 }).process(q, docs(a ?? '', b ?? '', c ?? '')))).toEqual(['0', '2']);
  });

  it('drops exactly what the definition says, for any texts and any similarity', async () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', '狐狸犬', '-'), { maxLength: 9 });
    const similarity = fc.oneof(
      fc.constantFrom(0.5, 0.6, 0.75, 0.8, 0.95, 1),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 25 }), similarity, async (texts, least) => {
        const given = docs(...texts.map((one) => `. ${one.join(' ')}`));
        expect(ids(await dedupe({ similarity: least }).process(q, given))).toEqual(naive(given, least));
      }),
      { numRuns: 300 },
    );
  });

  it('compares by embeddings when it is given a model, in one go, and asks nothing for one document', async () => {
    const model = hashingEmbeddingModel();
    const given = docs('red roses bloom', 'the tax office', 'bloom red roses');
    expect(ids(await dedupe({ embeddingModel: model, similarity: 0.9 }).process(q, given))).toEqual(['0', '1']);
    const broken = {
      ...model,
      embed: async (): Promise<never> => {
        throw new Error('not to be asked');
      },
    };
    expect(ids(await dedupe({ embeddingModel: broken }).process(q, docs('one')))).toEqual(['0']);
    await expect(
      dedupe({ embeddingModel: model }).process(q, given, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'aborted' });
  });

  it('takes no vector without a direction for another, and fails as the model does', async () => {
    const vectors = [
      [0, 0],
      [0, 0],
      [3, 4],
      [6, 8.1],
      [-3, -4],
    ];
    const model = { ...hashingEmbeddingModel(), embed: async () => vectors.map((one) => Float32Array.from(one)) };
    const given = docs('a', 'b', 'c', 'd', 'e');
    expect(ids(await dedupe({ embeddingModel: model }).process(q, given))).toEqual(['0', '1', '2', '4']);
    expect(ids(await dedupe({ embeddingModel: model, similarity: 1 }).process(q, given))).toEqual(ids(given));
    await expect(dedupe({ embeddingModel: model }).process(q, given.slice(1))).rejects.toMatchObject({
      code: 'embedding',
    });
    const failing = { ...model, embed: () => Promise.reject(new Error('down')) };
    await expect(dedupe({ embeddingModel: failing }).process(q, given)).rejects.toThrow();
  });

  it('refuses a similarity out of range', () => {
    for (const similarity of [0, 1.1, Number.NaN])
      expect(() => dedupe({ similarity })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
