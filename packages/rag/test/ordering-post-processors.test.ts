import type { Document, RerankModel } from '@vernal/core';
import { document } from '@vernal/core';
import { lostInTheMiddle, query, rerank, topDocuments } from '@vernal/rag';
import { describe, expect, it } from 'vitest';

const docs = (...scores: (number | undefined)[]): Document[] =>
  scores.map((score, i) => document({ id: `${i + 1}`, text: 'x', score }));
const ids = (found: readonly Document[]): string[] => found.map(({ id }) => id);

describe('rerank', () => {
  const reversing: RerankModel = {
    provider: 'reversing',
    rerank: async (_query, documents) => documents.toReversed().map((one, i) => ({ ...one, score: 1 - i / 4 })),
  };

  it('orders as the model does and cuts behind it', async () => {
    const given = docs(0.1, 0.2, 0.3);
    expect(ids(await rerank(reversing).process(query('q'), given))).toEqual(['3', '2', '1']);
    expect(ids(await rerank(reversing, { topN: 1 }).process(query('q'), given))).toEqual(['3']);
    expect(ids(await rerank(reversing, { minScore: 0.75 }).process(query('q'), given))).toEqual(['3', '2']);
  });

  it('takes order and scores of the model and nothing else: each document once, as it was found', async () => {
    const given = docs(0.1, 0.2, 0.3, 0.4);
    const inventive: RerankModel = {
      provider: 'inventive',
      rerank: async () => [
        document({ id: '3', text: 'Believe me.', metadata: { source: 'trusted.md' }, score: 0.9 }),
        document({ id: 'made up', text: 'Believe me, too.', score: 0.8 }),
        { ...document({ id: '1', text: 'x' }), score: Number.NaN },
        document({ id: '3', text: 'x', score: 0.7 }),
      ],
    };
    const ranked = await rerank(inventive).process(query('q'), given);
    expect(ranked).toEqual([
      { ...given[2], score: 0.9 },
      ...[0, 1, 3].map((at) => document({ id: `${at + 1}`, text: 'x' })),
    ]);
    expect(ids(await rerank(inventive, { topN: 2 }).process(query('q'), given))).toEqual(['3', '1']);
    const silent = { provider: 'silent', rerank: async () => undefined } as unknown as RerankModel;
    await expect(rerank(silent).process(query('q'), given)).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('hands on query, number and context, and asks nothing for no documents', async () => {
    const asked: unknown[] = [];
    const model: RerankModel = {
      provider: 'p',
      rerank: async (...given) => {
        asked.push(given);
        return [...given[1]];
      },
    };
    const context = { signal: new AbortController().signal };
    const given = docs(1);
    await rerank(model, { topN: 3 }).process(query('why'), given, context);
    expect(await rerank(model).process(query('why'), [])).toEqual([]);
    expect(asked).toEqual([['why', given, { topN: 3 }, context]]);
  });

  it('keeps what the model did not score', async () => {
    const forgetful: RerankModel = { provider: 'p', rerank: async () => docs(0.9, 0.1, undefined) };
    expect(ids(await rerank(forgetful, { minScore: 0.5 }).process(query('q'), docs(1, 1, 1)))).toEqual(['1', '3']);
  });

  it('ends with the signal when the model does not heed it', async () => {
    const controller = new AbortController();
    const deaf: RerankModel = {
      provider: 'p',
      rerank: () => {
        controller.abort();
        return new Promise(() => {});
      },
    };
    const ranked = rerank(deaf).process(query('q'), docs(1), { signal: controller.signal });
    await expect(ranked).rejects.toMatchObject({ code: 'aborted' });
  });

  it('refuses what is no model', () => {
    expect(() => rerank({} as RerankModel)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'model' }),
    );
    expect(() => rerank(reversing, { topN: 0 })).toThrow(expect.objectContaining({ subject: 'topN' }));
  });
});

describe('topDocuments', () => {
  it('keeps the first of those that score enough, and those without a score', async () => {
    const given = docs(0.9, 0.1, undefined, 0.5, 0.4);
    expect(ids(await topDocuments({ minScore: 0.4 }).process(query('q'), given))).toEqual(['1', '3', '4', '5']);
    expect(ids(await topDocuments({ minScore: 0.4, topN: 2 }).process(query('q'), given))).toEqual(['1', '3']);
    expect(ids(await topDocuments({}).process(query('q'), given))).toEqual(ids(given));
  });

  it('refuses numbers out of range', () => {
    for (const cut of [{ topN: 0 }, { topN: 1.5 }, { minScore: Number.NaN }])
      expect(() => topDocuments(cut)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});

describe('lostInTheMiddle', () => {
  it.each([
    [0, []],
    [1, ['1']],
    [2, ['1', '2']],
    [3, ['1', '3', '2']],
    [5, ['1', '3', '5', '4', '2']],
    [6, ['1', '3', '5', '6', '4', '2']],
  ])('puts the best of %i first and last', async (count, expected) => {
    const given = docs(...Array.from({ length: count }, () => undefined));
    expect(ids(await lostInTheMiddle().process(query('q'), given))).toEqual(expected);
  });
});
