import type { Document, EmbeddingModel, Metadata } from '@vernal/core';
import { document } from '@vernal/core';
import type { FilterExpression } from '@vernal/vector-store';
import { evaluateFilter, filter, SimpleVectorStore } from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filters, keys, scalars } from './filter-arbitraries.js';

const embed = async (texts: readonly string[]): Promise<Float32Array[]> => texts.map(() => Float32Array.of(1, 2));
const embeddingModel: EmbeddingModel = {
  provider: 'constant',
  metadataMode: 'none',
  embed,
  call: async ({ inputs }) => ({
    embeddings: (await embed(inputs)).map((vector, index) => ({ vector, index })),
    metadata: { usage: {} },
  }),
  dimensions: async () => 2,
};

const ids = async (store: SimpleVectorStore, filterExpression: FilterExpression): Promise<string[]> =>
  (await store.similaritySearch({ query: '', vector: Float32Array.of(1, 2), topK: 10_000, filterExpression }))
    .map(({ id }) => id)
    .sort();

const right = (documents: ReadonlyMap<string, Document>, expression: FilterExpression): string[] =>
  [...documents.values()]
    .filter(({ metadata }) => evaluateFilter(expression, metadata))
    .map(({ id }) => id)
    .sort();

async function change(
  store: SimpleVectorStore,
  documents: Map<string, Document>,
  added: readonly Document[],
  removed: readonly string[] = [],
): Promise<void> {
  await store.add(added);
  await store.delete(removed);
  for (const each of added) documents.set(each.id, each);
  for (const id of removed) documents.delete(id);
}

describe('a filter in a store that changes', () => {
  const metadata: fc.Arbitrary<Metadata> = fc.dictionary(
    keys,
    fc.oneof(scalars, fc.constant(null), fc.array(scalars, { maxLength: 2 }), fc.record({ b: scalars })),
    { maxKeys: 4 },
  );

  it('lets through what it lets through of each document', async () => {
    const step = fc.record({
      added: fc.uniqueArray(fc.record({ id: fc.nat(12), metadata }), { selector: ({ id }) => id, maxLength: 8 }),
      removed: fc.uniqueArray(fc.nat(12), { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(filters, { minLength: 1, maxLength: 4 }),
        fc.array(step, { maxLength: 5 }),
        async (expressions, steps) => {
          const store = new SimpleVectorStore({ embeddingModel });
          const documents = new Map<string, Document>();
          for (const { added, removed } of steps) {
            const given = added.map((each) => document({ id: `d${each.id}`, text: 'x', metadata: each.metadata }));
            await change(
              store,
              documents,
              given,
              removed.map((id) => `d${id}`),
            );
            for (const expression of expressions) {
              expect(await ids(store, expression)).toEqual(right(documents, expression));
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is right for keys of few values and of very many, before and after there are many', async () => {
    const store = new SimpleVectorStore({ embeddingModel });
    const documents = new Map<string, Document>();
    const some = (first: number, end: number, shift = 0): Document[] =>
      Array.from({ length: end - first }, (_, i) => {
        const n = first + i + shift;
        return document({
          id: `d${first + i}`,
          text: 'x',
          metadata: { n, tens: n % 10, name: `name ${n % 400}`, tags: [`t${n % 3}`, n % 2 === 0] },
        });
      });
    const expressions = [
      filter.eq('tens', 3),
      filter.and(filter.gte('n', 150), filter.lt('n', 700), filter.ne('tens', 4)),
      filter.or(filter.eq('n', 5), filter.in('name', ['name 7', 'name 300']), filter.eq('tags', 't2')),
      filter.and(filter.or(filter.lt('n', 90), filter.gt('tens', 7)), filter.not(filter.eq('tags', true))),
      filter.or(filter.and(filter.eq('tens', 1), filter.eq('tags', 't1')), filter.isNull('name')),
    ];
    const steps: readonly [readonly Document[], readonly string[]][] = [
      [some(0, 200), []],
      [some(200, 1_000), ['d0', 'd13']],
      [some(300, 800, 5_000), ['d999', 'd500']],
      [[document({ id: 'bare', text: 'x' })], Array.from({ length: 690 }, (_, i) => `d${i + 200}`)],
      [some(100, 160), Array.from({ length: 100 }, (_, i) => `d${i}`)],
    ];
    for (const [added, removed] of steps) {
      await change(store, documents, added, removed);
      for (const expression of expressions) {
        const expected = right(documents, expression);
        expect(expected.length).toBeGreaterThan(0);
        expect(await ids(store, expression)).toEqual(expected);
      }
    }
    const { deleted } = await store.delete({ filter: filter.eq('tags', 't1') });
    expect(deleted).toBe(right(documents, filter.eq('tags', 't1')).length);
    expect(store.size).toBe(documents.size - Number(deleted));
  });

  it('may be as long as a filter can be', async () => {
    const store = new SimpleVectorStore({ embeddingModel });
    await store.add([1, -1].map((n) => document({ id: `d${n}`, text: 'x', metadata: { n } })));
    const many = Array.from({ length: 30_000 }, (_, n) => filter.eq('n', n));
    const chain = many.reduce((left, right) => filter.or(left, right));
    expect(await ids(store, chain)).toEqual(['d1']);
    expect(await ids(store, filter.not(chain))).toEqual(['d-1']);
    expect(await store.delete({ filter: chain })).toEqual({ deleted: 1 });
  });
});
