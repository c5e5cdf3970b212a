import { document } from '@vernal/core';
import { KeywordDocumentRetriever, query, VECTOR_STORE_FILTER_EXPRESSION } from '@vernal/rag';
import { evaluateFilter, filter, parseFilter } from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const docs = [
  document({ id: 'pump', text: 'Error E-4711: the pump is blocked.', metadata: { lang: 'en', tenant: 'acme' } }),
  document({ id: 'valve', text: 'Error E-4712: the valve is blocked.', metadata: { lang: 'en', tenant: 'evil' } }),
  document({ id: 'pumpe', text: 'Fehler E-4711: Die Pumpe ist blockiert.', metadata: { lang: 'de', tenant: 'acme' } }),
  document({ id: 'tokyo', text: '東京都のポンプ', metadata: { lang: 'ja', tenant: 'acme' } }),
];
const ids = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id);

describe('KeywordDocumentRetriever', () => {
  it('finds by words of any script, best first, with scores from 0 to 1', async () => {
    const retriever = new KeywordDocumentRetriever({ documents: docs });
    const found = await retriever.retrieve(query('pump e 4711'));
    expect(ids(found)).toEqual(['pump', 'pumpe', 'valve']);
    for (const { score } of found) expect((score ?? -1) > 0 && (score ?? 2) < 1).toBe(true);
    expect(found[0]).toEqual({ ...docs[0], score: found[0]?.score });
    expect(ids(await retriever.retrieve(query('東京')))).toEqual(['tokyo']);
    expect(await retriever.retrieve(query('something else'))).toEqual([]);
  });

  it('takes documents, replaces them and lets them go at any time', async () => {
    const retriever = new KeywordDocumentRetriever({ topK: 1 });
    await retriever.write(docs);
    expect(retriever.size).toBe(4);
    await retriever.write([document({ id: 'pump', text: 'All is well.' })]);
    expect(ids(await retriever.retrieve(query('E-4711')))).toEqual(['pumpe']);
    expect(retriever.delete(['pumpe', 'unknown'])).toBe(1);
    expect(ids(await retriever.retrieve(query('4711')))).toEqual([]);
    expect(ids(await retriever.retrieve(query('well')))).toEqual(['pump']);
  });

  it('lets the filter of a request replace its own, and never the required one', async () => {
    const retriever = new KeywordDocumentRetriever({
      documents: docs,
      filter: "lang == 'en'",
      requiredFilter: ({ context }) => filter.eq('tenant', String(context['tenant'])),
    });
    const ask = async (context: Record<string, unknown>) => ids(await retriever.retrieve(query('E-4711', { context })));
    expect(await ask({ tenant: 'acme' })).toEqual(['pump']);
    expect(await ask({ tenant: 'evil' })).toEqual(['valve']);
    expect(await ask({ tenant: 'acme', [VECTOR_STORE_FILTER_EXPRESSION]: "lang != 'en'" })).toEqual(['pumpe']);
    expect(await ask({ tenant: 'acme', [VECTOR_STORE_FILTER_EXPRESSION]: "tenant == 'evil'" })).toEqual([]);
    await expect(ask({ tenant: 'acme', [VECTOR_STORE_FILTER_EXPRESSION]: 'lang ==' })).rejects.toMatchObject({
      code: 'filter_parse',
    });
  });

  it('refuses a required filter that gives none, and finds nothing', async () => {
    const retriever = new KeywordDocumentRetriever({ documents: docs, requiredFilter: () => undefined });
    await expect(retriever.retrieve(query('pump'))).rejects.toMatchObject({
      code: 'filter_invalid',
      subject: 'requiredFilter',
    });
  });

  it('finds what is best among those that pass the filter, for any filter', async () => {
    const year = fc.integer({ min: 2019, max: 2022 });
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 6 });
    const many = fc.array(fc.record({ words, year }), { maxLength: 30 });
    const filters = fc.constantFrom(
      'year >= 2021',
      'year IN [2019, 2022]',
      'year == 1',
      'year IS NULL',
      'NOT (year == 2020)',
    );
    await fc.assert(
      fc.asyncProperty(many, filters, fc.integer({ min: 1, max: 8 }), async (given, expression, topK) => {
        const documents = given.map((one, i) =>
          document({ id: `${i}`, text: one.words.join(' '), metadata: { year: one.year } }),
        );
        const all = await new KeywordDocumentRetriever({ documents, topK: 100 }).retrieve(query('a b'));
        const found = await new KeywordDocumentRetriever({ documents, topK, filter: expression }).retrieve(
          query('a b'),
        );
        const tree = parseFilter(expression);
        expect(found).toEqual(all.filter(({ metadata }) => evaluateFilter(tree, metadata)).slice(0, topK));
      }),
    );
  });

  it('cuts words as it is told, and refuses bad options', async () => {
    const stems = (text: string): string[] => Array.from(text.toLowerCase().matchAll(/\b\w{4}/g), ([stem]) => stem);
    const retriever = new KeywordDocumentRetriever({ documents: docs, words: stems });
    expect(ids(await retriever.retrieve(query('blocking')))).toEqual(['pump', 'valve', 'pumpe']);
    for (const options of [{ topK: 0 }, { k1: -1 }, { b: 2 }])
      expect(() => new KeywordDocumentRetriever(options)).toThrow(
        expect.objectContaining({ code: 'invalid_argument' }),
      );
    expect(() => new KeywordDocumentRetriever({ filter: 'x ==' })).toThrow(
      expect.objectContaining({ code: 'filter_parse' }),
    );
  });

  it('does nothing for a signal that has fired', async () => {
    const retriever = new KeywordDocumentRetriever({ documents: docs });
    await expect(retriever.retrieve(query('pump'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
    await expect(retriever.write(docs, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });
});
