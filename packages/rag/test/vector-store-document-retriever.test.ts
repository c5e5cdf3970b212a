import { document } from '@vernal/core';
import {
  HybridDocumentRetriever,
  KeywordDocumentRetriever,
  query,
  VECTOR_STORE_FILTER_EXPRESSION,
  VectorStoreDocumentRetriever,
} from '@vernal/rag';
import { hashingEmbeddingModel } from '@vernal/testing';
import type { FilterExpression, SearchRequest, VectorStoreRetriever } from '@vernal/vector-store';
import { evaluateFilter, filter, SimpleVectorStore } from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

function recordingStore(): VectorStoreRetriever & { readonly requests: SearchRequest[]; readonly contexts: unknown[] } {
  const requests: SearchRequest[] = [];
  const contexts: unknown[] = [];
  return {
    requests,
    contexts,
    similaritySearch: async (request, context) => {
      requests.push(typeof request === 'string' ? { query: request } : request);
      contexts.push(context);
      return [];
    },
  };
}

const en = filter.eq('lang', 'en');
const acme = filter.eq('tenant', 'acme');
const asking = (expression: unknown) => query('q', { context: { [VECTOR_STORE_FILTER_EXPRESSION]: expression } });

describe('VectorStoreDocumentRetriever', () => {
  it('finds what the store finds', async () => {
    const vectorStore = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    await vectorStore.add([
      document({ id: 'a', text: 'Returns are free.', metadata: { tenant: 'acme' } }),
      document({ id: 'b', text: 'Returns are free.', metadata: { tenant: 'evil' } }),
      document({ id: 'c', text: 'The sky is blue.', metadata: { tenant: 'acme' } }),
    ]);
    const retriever = new VectorStoreDocumentRetriever({ vectorStore, topK: 1, requiredFilter: acme });
    const [found, ...others] = await retriever.retrieve(query('Are returns free?'));
    expect(found).toMatchObject({ id: 'a', text: 'Returns are free.' });
    expect(found?.score).toBeGreaterThan(0);
    expect(others).toEqual([]);
    const strict = new VectorStoreDocumentRetriever({ vectorStore, similarityThreshold: 0.99 });
    expect(await strict.retrieve(query('Something else entirely'))).toEqual([]);
    const byWords = new VectorStoreDocumentRetriever({ vectorStore, mode: 'keyword' });
    expect((await byWords.retrieve(query('sky'))).map(({ id }) => id)).toEqual(['c']);
  });

  it('asks for four documents without threshold or filter, and hands on its settings and the context', async () => {
    const vectorStore = recordingStore();
    const context = { signal: new AbortController().signal };
    await new VectorStoreDocumentRetriever({ vectorStore }).retrieve(query('one'), context);
    const options = { vectorStore, topK: 7, similarityThreshold: 0.4, mode: 'hybrid', filter: "lang == 'en'" } as const;
    await new VectorStoreDocumentRetriever(options).retrieve(query('two'));
    expect(vectorStore.requests).toEqual([
      { query: 'one', topK: 4 },
      { query: 'two', topK: 7, similarityThreshold: 0.4, mode: 'hybrid', filterExpression: en },
    ]);
    expect(vectorStore.contexts[0]).toBe(context);
  });

  it('asks a function for the filter once a query', async () => {
    const vectorStore = recordingStore();
    const retriever = new VectorStoreDocumentRetriever({
      vectorStore,
      filter: async ({ text, context }) =>
        text === 'none' ? undefined : filter.eq('tenant', String(context['tenant'] ?? text)),
    });
    await retriever.retrieve(query('acme'));
    await retriever.retrieve(query('q', { context: { tenant: 'other' } }));
    await retriever.retrieve(query('none'));
    expect(vectorStore.requests.map(({ filterExpression }) => filterExpression)).toEqual([
      acme,
      filter.eq('tenant', 'other'),
      undefined,
    ]);
  });

  it('lets the request replace its filter, by text or tree; blank text falls back', async () => {
    const vectorStore = recordingStore();
    const retriever = new VectorStoreDocumentRetriever({ vectorStore, filter: en });
    for (const given of ['n > 1', acme, '', '  \n', undefined, null]) await retriever.retrieve(asking(given));
    expect(vectorStore.requests.map(({ filterExpression }) => filterExpression)).toEqual([
      filter.gt('n', 1),
      acme,
      en,
      en,
      en,
      en,
    ]);
  });

  it('joins the required filter to whatever else holds', async () => {
    const vectorStore = recordingStore();
    const withBoth = new VectorStoreDocumentRetriever({ vectorStore, filter: en, requiredFilter: "tenant == 'acme'" });
    const alone = new VectorStoreDocumentRetriever({ vectorStore, requiredFilter: () => acme });
    await withBoth.retrieve(query('q'));
    await withBoth.retrieve(asking("tenant == 'evil' OR 1 == 1".replace('1 == 1', 'n == 1')));
    await withBoth.retrieve(asking(''));
    await alone.retrieve(query('q'));
    await alone.retrieve(asking(filter.ne('tenant', 'acme')));
    expect(vectorStore.requests.map(({ filterExpression }) => filterExpression)).toEqual([
      filter.and(acme, en),
      filter.and(acme, filter.or(filter.eq('tenant', 'evil'), filter.eq('n', 1))),
      filter.and(acme, en),
      acme,
      filter.and(acme, filter.ne('tenant', 'acme')),
    ]);
  });

  it.each([
    ['undefined', () => undefined],
    ['null', () => null as never],
    ['a promise of undefined', async () => undefined],
  ])('searches nothing when the function of a required filter gives %s', async (_name, requiredFilter) => {
    const vectorStore = recordingStore();
    const retriever = new VectorStoreDocumentRetriever({ vectorStore, filter: en, requiredFilter });
    await expect(retriever.retrieve(query('q'))).rejects.toMatchObject({
      code: 'filter_invalid',
      subject: 'requiredFilter',
    });
    expect(vectorStore.requests).toEqual([]);
  });

  it('searches nothing with a filter that is none', async () => {
    const vectorStore = recordingStore();
    const retriever = new VectorStoreDocumentRetriever({ vectorStore, filter: en });
    await expect(retriever.retrieve(asking("tenant == 'acme"))).rejects.toMatchObject({ code: 'filter_parse' });
    await expect(retriever.retrieve(asking({ type: 'OR', left: 1 }))).rejects.toMatchObject({ code: 'filter_invalid' });
    await expect(retriever.retrieve(asking(7))).rejects.toMatchObject({ code: 'filter_invalid' });
    const required = new VectorStoreDocumentRetriever({ vectorStore, requiredFilter: () => ' ' });
    await expect(required.retrieve(query('q'))).rejects.toMatchObject({ code: 'filter_parse' });
    const failing = new VectorStoreDocumentRetriever({
      vectorStore,
      requiredFilter: () => Promise.reject(new Error('x')),
    });
    await expect(failing.retrieve(query('q'))).rejects.toThrow('x');
    expect(vectorStore.requests).toEqual([]);
  });

  it('checks its options at construction', () => {
    const vectorStore = recordingStore();
    const refusals: readonly (readonly [object, string])[] = [
      [{}, 'invalid_argument'],
      [{ vectorStore: {} }, 'invalid_argument'],
      [{ vectorStore, topK: 0 }, 'invalid_argument'],
      [{ vectorStore, topK: 1.5 }, 'invalid_argument'],
      [{ vectorStore, similarityThreshold: Number.NaN }, 'invalid_argument'],
      [{ vectorStore, mode: 'magic' }, 'invalid_argument'],
      [{ vectorStore, filter: 'lang ==' }, 'filter_parse'],
      [{ vectorStore, filter: '' }, 'filter_parse'],
      [{ vectorStore, requiredFilter: '' }, 'filter_parse'],
      [{ vectorStore, requiredFilter: { type: 'NOPE' } }, 'filter_invalid'],
    ];
    for (const [options, code] of refusals) {
      expect(() => new VectorStoreDocumentRetriever(options as never)).toThrow(expect.objectContaining({ code }));
    }
    // In some metrics all scores are below 0.
    expect(() => new VectorStoreDocumentRetriever({ vectorStore, similarityThreshold: -0.5 })).not.toThrow();
  });

  it('refuses the filter under its name in a search, which no compiler sees in a spread', () => {
    const vectorStore = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    const search = { topK: 4, filterExpression: "tenant == 'acme'" };
    for (const make of [
      () => new VectorStoreDocumentRetriever({ vectorStore, ...search }),
      () => new HybridDocumentRetriever({ vectorStore, ...search }),
      () => new KeywordDocumentRetriever({ ...search }),
    ]) {
      expect(make).toThrow('filterExpression: is no option of a retriever: say filter, or requiredFilter');
    }
    const none = { ...search, filterExpression: undefined };
    expect(() => new VectorStoreDocumentRetriever({ vectorStore, ...none })).not.toThrow();
  });

  it('stops waiting for the function of a filter when the signal fires', async () => {
    const vectorStore = recordingStore();
    const controller = new AbortController();
    const retriever = new VectorStoreDocumentRetriever({
      vectorStore,
      requiredFilter: () => {
        controller.abort();
        return new Promise(() => {});
      },
    });
    await expect(retriever.retrieve(query('q'), { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(vectorStore.requests).toEqual([]);
  });

  it('never finds what the required filter closes, whatever filter a request brings', async () => {
    const scalar = fc.constantFrom('acme', 'evil', 'en');
    const leaf: fc.Arbitrary<FilterExpression> = fc
      .tuple(fc.constantFrom('EQ', 'NE', 'GT') as fc.Arbitrary<'EQ'>, fc.constantFrom('tenant', 'lang'), scalar)
      .map(([type, key, value]) => ({ type, left: { key }, right: { value } }));
    const { tree } = fc.letrec<{ tree: FilterExpression }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.record({
          type: fc.constantFrom('AND', 'OR') as fc.Arbitrary<'OR'>,
          left: tie('tree'),
          right: fc.record({ group: tie('tree') }),
        }),
        fc.record({ type: fc.constant('NOT' as const), left: tie('tree') }),
      ),
    }));
    const vectorStore = recordingStore();
    const retriever = new VectorStoreDocumentRetriever({ vectorStore, filter: en, requiredFilter: acme });
    await fc.assert(
      fc.asyncProperty(tree, async (given) => {
        await retriever.retrieve(asking(given));
        const used = vectorStore.requests.at(-1)?.filterExpression;
        if (typeof used !== 'object') throw new Error('no filter was used');
        for (const tenant of ['evil', 'en', null]) expect(evaluateFilter(used, { tenant, lang: 'en' })).toBe(false);
        const metadata = { tenant: 'acme', lang: 'en' };
        expect(evaluateFilter(used, metadata)).toBe(evaluateFilter(given, metadata));
      }),
      { numRuns: 200 },
    );
  });
});
