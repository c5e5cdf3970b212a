import type { EmbeddingModel } from '@vernal/core';
import type { SuiteReport } from '@vernal/testing';
import { describeVectorStore } from '@vernal/testing/vector-store';
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
      ['vs.search.threshold', 'vs.search.threshold-cosine'],
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
      [
        'vs.delete.ids',
        'vs.delete.unknown',
        'vs.delete.count',
        'vs.delete.filter',
        'vs.delete.blank-filter',
        'vs.delete.many',
        'vs.delete.filter-many',
      ],
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
      [
        'vs.add.round-trip',
        'vs.add.null-metadata',
        'vs.add.upsert',
        'vs.add.own-copy',
        'vs.add.unicode',
        'vs.add.numbers',
        'vs.add.large-metadata',
        'vs.add.reserved-keys',
      ],
    ],
    [
      'deaf to signals',
      (store) => ({ add: (documents) => store.add(documents) }),
      'vs.abort',
      ['vs.abort.before', 'vs.abort.during-add'],
    ],
    [
      'a document a write',
      (store) => ({
        add: async (documents, context) => {
          for (const one of documents) await store.add([one], context);
        },
      }),
      'vs.a',
      [
        'vs.add.twice-in-batch',
        'vs.add.zero-vector',
        'vs.add.broken-vector',
        'vs.add.other-dimensions',
        'vs.abort.during-add',
        'vs.abort.many',
      ],
    ],
    [
      'lists cut in silence',
      (store) => ({
        delete: (target, context) => store.delete(Array.isArray(target) ? target.slice(-9) : target, context),
      }),
      'vs.delete',
      ['vs.delete.many', 'vs.delete.filter-many'],
    ],
    [
      'a filter that deletes a page',
      (store) => ({
        delete: async (target, context) => {
          if (Array.isArray(target)) return store.delete(target, context);
          const page = await store.similaritySearch(
            { query: 'x', topK: 700, filterExpression: (target as { readonly filter: string }).filter },
            context,
          );
          return store.delete(
            page.map((one) => one.id),
            context,
          );
        },
      }),
      'vs.delete.filter',
      ['vs.delete.filter-many'],
    ],
    [
      'keys that are patterns',
      (store) => ({
        similaritySearch: async (request, context) => {
          const { filterExpression, ...rest } = asRequest(request);
          if (typeof filterExpression !== 'object' || filterExpression.type !== 'EQ')
            return store.similaritySearch(request, context);
          const { key } = filterExpression.left;
          const found = await store.similaritySearch(rest, context);
          return found.filter(({ metadata }) =>
            key === '*' ? Object.values(metadata).includes('x') : metadata[key] === filterExpression.right.value,
          );
        },
      }),
      'vs.hostile.keys',
      ['vs.hostile.keys'],
    ],
    [
      'ids that are cut',
      (store) => ({
        add: (documents, context) =>
          store.add(
            documents.map((one, at) => ({
              ...one,
              id: one.id.length > 9_000 ? `${one.id.slice(0, 9_000)}${at}` : one.id,
            })),
            context,
          ),
      }),
      'vs.add.long',
      ['vs.add.long-id'],
    ],
    [
      'scores that lose their last digits',
      (store) => ({
        similaritySearch: async (request, context) => {
          const limit = asRequest(request).similarityThreshold ?? 0;
          const found = await store.similaritySearch({ ...asRequest(request), similarityThreshold: 0 }, context);
          return found
            .map((one) => ({ ...one, score: one.score === 1 ? 1 : (one.score ?? 0) - 1e-6 }))
            .filter(({ score }) => limit === 0 || score >= limit);
        },
      }),
      'vs.search.threshold-cosine',
      ['vs.search.threshold-cosine'],
    ],
    [
      'words that are not looked at',
      (store) => ({
        similaritySearch: (request, context) =>
          store.similaritySearch({ ...asRequest(request), mode: 'vector' }, context),
      }),
      'vs.modes',
      ['vs.modes.keyword', 'vs.modes.hybrid'],
    ],
    [
      'another form of the letters',
      (store) => ({
        add: (documents, context) =>
          store.add(
            documents.map((one) => ({ ...one, text: one.text?.normalize('NFC') ?? '' })),
            context,
          ),
      }),
      'vs.add.',
      ['vs.add.unicode'],
    ],
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
      { runner, timeout: 1_000 },
    );
    expect(await runner.run(prefix)).toEqual(expected);
  });

  it('collections that are one', async () => {
    const runner = new CollectingRunner();
    const stores = new Map<EmbeddingModel['provider'], SimpleVectorStore>();
    describeVectorStore(
      'broken',
      ({ embeddingModel }) => {
        const subject = stores.get(embeddingModel.provider) ?? new SimpleVectorStore({ embeddingModel });
        stores.set(embeddingModel.provider, subject);
        return { subject };
      },
      { runner },
    );
    expect(await runner.run('vs.sharing.collections')).toEqual(['vs.sharing.collections']);
  });
});

describe('the suite', () => {
  const simple = ({ embeddingModel }: { readonly embeddingModel: EmbeddingModel }): { subject: VectorStore } => ({
    subject: new SimpleVectorStore({ embeddingModel }),
  });

  it('has distinct ids, and reports every one', async () => {
    const runner = new CollectingRunner();
    let report: SuiteReport | undefined;
    const onReport = (given: SuiteReport): void => {
      report = given;
    };
    describeVectorStore('simple', simple, { runner, onReport });
    expect(await runner.run()).toEqual([]);
    const ids = report?.cases.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(80);
  });

  it('runs only what it is told, and refuses what it does not know', async () => {
    const runner = new CollectingRunner();
    let report: SuiteReport | undefined;
    const onReport = (given: SuiteReport): void => {
      report = given;
    };
    describeVectorStore('simple', simple, { runner, onReport, only: ['vs.delete.ids', 'vs.close'] });
    await runner.run();
    expect(report?.cases.map(({ id }) => id)).toEqual(['vs.delete.ids', 'vs.close.twice', 'vs.close.use-after']);
    expect(() => describeVectorStore('simple', simple, { runner, only: ['vs.close', 'vs.nothing'] })).toThrow(
      'vs.nothing',
    );
  });

  it('refuses a deviation without a reason, and one of a case that there is not', () => {
    const runner = new CollectingRunner();
    for (const [id, reason] of [
      ['vs.delete.ids', ' '],
      ['vs.nothing', 'it cannot'],
    ] as const)
      expect(() => describeVectorStore('simple', simple, { runner, deviations: [{ case: id, reason }] })).toThrowError(
        expect.objectContaining({ code: 'invalid_argument', subject: 'deviations' }),
      );
  });
});
