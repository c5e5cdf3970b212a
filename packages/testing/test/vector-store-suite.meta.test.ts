import { describeVectorStore } from '@vernal/testing';
import type { SearchRequest, VectorStore } from '@vernal/vector-store';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';
import { CollectingRunner } from './collecting-runner.js';

type Break = (store: VectorStore) => Partial<VectorStore>;

const asRequest = (request: string | SearchRequest): SearchRequest =>
  typeof request === 'string' ? { query: request } : request;

/** A store whose named members are replaced. */
function broken(store: VectorStore, change: Break): VectorStore {
  const changes = change(store);
  return new Proxy(store, {
    get(target, key) {
      const own: unknown = Reflect.get(changes, key);
      const value: unknown = own ?? Reflect.get(target, key, target);
      return typeof value === 'function' && own === undefined ? value.bind(target) : value;
    },
  });
}

describe('a broken store fails the case that is about it', () => {
  it.each<[string, Break, string, readonly string[]]>([
    [
      'threshold that is not inclusive',
      (store) => ({
        similaritySearch: async (request, context) => {
          const limit = asRequest(request).similarityThreshold ?? 0;
          return (await store.similaritySearch(request, context)).filter(
            (one) => limit === 0 || (one.score ?? 0) > limit,
          );
        },
      }),
      'vs.search',
      ['vs.search.threshold'],
    ],
    [
      'threshold 0 that drops negative scores',
      (store) => ({
        similaritySearch: async (request, context) =>
          (await store.similaritySearch(request, context)).filter((one) => (one.score ?? 0) >= 0),
      }),
      'vs.search.threshold-zero',
      ['vs.search.threshold-zero'],
    ],
    [
      'filter after topK',
      (store) => ({
        similaritySearch: async (request, context) => {
          const { topK = 4, ...rest } = asRequest(request);
          const { filterExpression: _, ...bare } = rest;
          if (rest.filterExpression === undefined) return store.similaritySearch(request, context);
          const nearest = (await store.similaritySearch({ ...bare, topK }, context)).map((one) => one.id);
          return (await store.similaritySearch({ ...rest, topK: 1000 }, context)).filter((one) =>
            nearest.includes(one.id),
          );
        },
      }),
      'vs.search',
      ['vs.search.filter-before-top-k'],
    ],
    [
      'worst first',
      (store) => ({ similaritySearch: async (...p) => (await store.similaritySearch(...p)).toReversed() }),
      'vs.search.nearest',
      ['vs.search.nearest-first'],
    ],
    [
      'distance as score',
      (store) => ({
        similaritySearch: async (...p) =>
          (await store.similaritySearch(...p)).map((one) => ({ ...one, score: 1 - (one.score ?? 0) })),
      }),
      'vs.search.s',
      ['vs.search.score', 'vs.search.same-text'],
    ],
    [
      'ids that are not deleted',
      () => ({ delete: async () => ({}) }),
      'vs.delete',
      ['vs.delete.ids', 'vs.delete.unknown', 'vs.delete.count', 'vs.delete.filter', 'vs.delete.blank-filter'],
    ],
    [
      'metadata as text',
      (store) => ({
        add: (documents, context) =>
          store.add(
            documents.map((one) => ({
              ...one,
              metadata: Object.fromEntries(Object.entries(one.metadata).map(([key, value]) => [key, String(value)])),
            })),
            context,
          ),
      }),
      'vs.add.',
      ['vs.add.round-trip', 'vs.add.null-metadata', 'vs.add.upsert', 'vs.add.own-copy'],
    ],
    ['deaf to signals', (store) => ({ add: (documents) => store.add(documents) }), 'vs.abort', ['vs.abort.before']],
    ['open for ever', () => ({ close: async () => {} }), 'vs.close', ['vs.close.use-after']],
    [
      'modes that are not declared and work',
      (store) => ({ capabilities: { ...store.capabilities, modes: ['vector'] } }),
      'vs.modes',
      ['vs.modes'],
    ],
    [
      'twins that are both found by mmr',
      (store) => ({
        similaritySearch: (request, context) => {
          const { mmr: _, ...rest } = asRequest(request);
          return store.similaritySearch(rest, context);
        },
      }),
      'vs.mmr',
      ['vs.mmr'],
    ],
    [
      'an operator that is not declared and works',
      (store) => ({
        capabilities: {
          ...store.capabilities,
          filterOperators: store.capabilities.filterOperators.filter((one) => one !== 'IN'),
        },
      }),
      'vs.filter',
      ['vs.filter.undeclared'],
    ],
    [
      'filters that forget a document',
      (store) => ({
        similaritySearch: async (...p) => (await store.similaritySearch(...p)).filter((one) => one.id !== 'r7'),
      }),
      'vs.filter',
      ['vs.filter.oracle'],
    ],
  ])('%s', async (_, change, prefix, expected) => {
    const runner = new CollectingRunner();
    describeVectorStore(
      'broken',
      ({ embeddingModel }) => ({ subject: broken(new SimpleVectorStore({ embeddingModel }), change) }),
      { runner },
    );
    expect(await runner.run(prefix)).toEqual(expected);
  });
});
