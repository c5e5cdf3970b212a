import type { QuestionAnswerAdvisorOptions } from '@vernal/advisors-vector-store';
import { QA_FILTER_EXPRESSION, QA_RETRIEVED_DOCUMENTS, QuestionAnswerAdvisor } from '@vernal/advisors-vector-store';
import { contextValue, document } from '@vernal/core';
import { VECTOR_STORE_FILTER_EXPRESSION } from '@vernal/rag';
import { ScriptedChatModel } from '@vernal/testing';
import type { FilterExpression } from '@vernal/vector-store';
import { filter } from '@vernal/vector-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { answer, clientOf, FACES } from './answering.js';
import { WatchedStore } from './watched-store.js';

const prices = [
  document({ id: 'ours', text: 'Our price is 5.', metadata: { tenant: 'acme', lang: 'en' } }),
  document({ id: 'ours-de', text: 'Unser Preis ist 5 (price).', metadata: { tenant: 'acme', lang: 'de' } }),
  document({ id: 'theirs', text: 'Their price is 4.', metadata: { tenant: 'other', lang: 'en' } }),
];

let vectorStore: WatchedStore;
beforeEach(async () => {
  vectorStore = new WatchedStore();
  await vectorStore.inner.add(prices);
});

/** What a question finds, with these params. */
async function found(
  options: Partial<QuestionAnswerAdvisorOptions>,
  params: Readonly<Record<string, string | FilterExpression>> = {},
  face: 'call' | 'stream' = 'call',
): Promise<string[]> {
  const client = clientOf(new ScriptedChatModel(['5']), [new QuestionAnswerAdvisor({ vectorStore, ...options })]);
  const spec = client.prompt('What is the price?').advisors((a) => {
    for (const [name, value] of Object.entries(params)) a.param(name, value);
  });
  const { context } = await answer(spec, face);
  return (contextValue(context, QA_RETRIEVED_DOCUMENTS) ?? []).map(({ id }) => id).sort();
}

const ofTenant: QuestionAnswerAdvisorOptions['requiredFilter'] = ({ context }) => {
  const { tenant } = context;
  return typeof tenant === 'string' ? filter.eq('tenant', tenant) : undefined;
};

describe('the filters of QuestionAnswerAdvisor', () => {
  it.each<[string, QuestionAnswerAdvisorOptions['filter']]>([
    ['text', "lang == 'de'"],
    ['a tree', filter.eq('lang', 'de')],
    ['a function that gives text', () => "lang == 'de'"],
    ['a function that gives a tree, later', async () => filter.eq('lang', 'de')],
  ])('may be %s', async (_, given) => {
    expect(await found({ filter: given })).toEqual(['ours-de']);
    expect(await found({ requiredFilter: given })).toEqual(['ours-de']);
  });

  it('are asked once a question, with the text and what the request says', async () => {
    const asked: unknown[] = [];
    await found(
      {
        filter: ({ text, context }) => {
          asked.push([text, context['user']]);
          return undefined;
        },
      },
      { user: 'ann' },
    );
    expect(asked).toEqual([['What is the price?', 'ann']]);
  });

  it.each(FACES)('hold all at once, by %s', async (face) => {
    const searchRequest = { filterExpression: "lang == 'en'" };
    const params = { tenant: 'acme', [QA_FILTER_EXPRESSION]: 'price IS NULL' };
    expect(await found({ searchRequest, filter: 'deleted IS NULL', requiredFilter: ofTenant }, params, face)).toEqual([
      'ours',
    ]);
    const en = filter.eq('lang', 'en');
    const ofRequest = filter.isNull('price');
    const own = filter.and(filter.eq('tenant', 'acme'), filter.isNull('deleted'));
    expect(vectorStore.searches[0]?.filterExpression).toEqual(filter.and(filter.and(en, ofRequest), own));
  });

  it.each<[string, string | FilterExpression]>([
    ['an OR', "tenant == 'acme' OR tenant == 'other'"],
    ['a tree', filter.or(filter.eq('tenant', 'acme'), filter.ne('tenant', 'acme'))],
    ['the opposite', "NOT tenant == 'acme'"],
  ])('are not widened by a request that says %s', async (_, given) => {
    for (const options of [
      { requiredFilter: ofTenant },
      { filter: ofTenant },
      { searchRequest: { filterExpression: "tenant == 'acme'" } },
    ]) {
      for (const key of [QA_FILTER_EXPRESSION, VECTOR_STORE_FILTER_EXPRESSION]) {
        expect(await found(options, { tenant: 'acme', [key]: given })).not.toContain('theirs');
      }
    }
  });

  it('take a blank filter of the request for none', async () => {
    expect(await found({}, { [QA_FILTER_EXPRESSION]: ' ' })).toHaveLength(3);
  });

  it('search nothing when the required one is missing, and do not degrade for that', async () => {
    for (const onError of ['throw', 'degrade'] as const) {
      await expect(found({ requiredFilter: ofTenant, onError })).rejects.toMatchObject({ code: 'filter_invalid' });
      await expect(found({ onError }, { [QA_FILTER_EXPRESSION]: 'a =' })).rejects.toMatchObject({
        code: 'filter_parse',
      });
    }
    expect(vectorStore.searches).toEqual([]);
  });

  it('keep what is near enough, and no more than asked for', async () => {
    expect(await found({ searchRequest: { topK: 1 } })).toHaveLength(1);
    expect(await found({ searchRequest: { similarityThreshold: 0.99 } })).toEqual([]);
  });

  it.each<[string, Partial<QuestionAnswerAdvisorOptions>]>([
    ['filter_parse', { filter: 'a =' }],
    ['filter_parse', { requiredFilter: '' }],
    ['filter_invalid', { filter: JSON.parse('{"type":"EQ"}') }],
    ['invalid_argument', { searchRequest: { topK: 0 } }],
    ['invalid_argument', { searchRequest: { similarityThreshold: Number.NaN } }],
    ['invalid_argument', { onError: JSON.parse('"ignore"') }],
  ])('and what else cannot be is refused at construction: %s', (code, options) => {
    expect(() => new QuestionAnswerAdvisor({ vectorStore, ...options })).toThrow(expect.objectContaining({ code }));
  });
});
