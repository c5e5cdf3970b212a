import type { Document, JsonValue, Metadata } from '@vernal/core';
import { document } from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import type { FilterExpression, FilterScalar } from '@vernal/vector-store';
import { evaluateFilter, filter } from '@vernal/vector-store';
import { SqliteVectorStore } from '@vernal/vector-store-sqlite';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { filters, keys, scalars } from '../../../vector-store/test/filter-arbitraries.js';
import { DRIVER, openWithVectors } from './drivers.js';

const values: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 3, arbitrary: scalars },
  fc.constant(null),
  fc.array(fc.oneof(scalars, fc.constant(null), fc.constant([1])), { maxLength: 3 }),
  fc.dictionary(keys, scalars, { maxKeys: 2 }),
);
const metadata: fc.Arbitrary<Metadata> = fc
  .tuple(
    fc.dictionary(keys, values, { maxKeys: 4, noNullPrototype: true }),
    fc.option(fc.record({ a: fc.oneof(values, fc.dictionary(fc.constantFrom('b', 'b.c'), values, { maxKeys: 2 })) })),
  )
  .map(([some, nested]) => ({ ...some, ...nested }));

/** A small world, in which a tree and the metadata often name the same thing. */
const fewKeys = fc.constantFrom('a', 'b', 'a.b', 'q"q', 'b\\s', 'n\nl', '\ud800', '\0', '', '.', 'a..b');
const fewScalars = fc.constantFrom<FilterScalar>(0, 1, -1.5, '', '1', 'x', "it's", '\0', true, false);
const fewValues: fc.Arbitrary<JsonValue> = fc.oneof(
  fewScalars,
  fc.constant(null),
  fc.array(fewScalars, { maxLength: 2 }),
  fc.dictionary(fewKeys, fewScalars, { maxKeys: 2, noNullPrototype: true }),
);
const denseMetadata = fc.dictionary(fewKeys, fewValues, { minKeys: 2, maxKeys: 6, noNullPrototype: true });
const left = fc.record({ key: fewKeys });
const denseFilters: fc.Arbitrary<FilterExpression> = fc.oneof(
  fc.record({
    type: fc.constantFrom('EQ' as const, 'NE' as const),
    left,
    right: fc.record({ value: fc.oneof(fewScalars, fc.constant(null)) }),
  }),
  fc.record({
    type: fc.constantFrom('IN' as const, 'NIN' as const),
    left,
    right: fc.record({ value: fc.array(fewScalars, { maxLength: 3 }) }),
  }),
  fc.record({
    type: fc.constantFrom('GT' as const, 'GTE' as const, 'LT' as const, 'LTE' as const),
    left,
    right: fc.record({ value: fc.constantFrom(0, 1, '', '1', 'x') }),
  }),
  fc.record({ type: fc.constantFrom('ISNULL' as const, 'ISNOTNULL' as const), left }),
);

/** Order by code point is order by code unit but for these. */
const ORDERED_OTHERWISE = /[\0\ud800-\uffff]/;
function ordersOtherwise(expression: FilterExpression, all: readonly Metadata[]): boolean {
  const plain = JSON.stringify(expression);
  if (!/"(?:GT|GTE|LT|LTE)"/.test(plain)) return false;
  return [plain, JSON.stringify(all)].some((json) => ORDERED_OTHERWISE.test(json) || /\\u(?:0000|d[89a-f])/.test(json));
}

describe(`a filter on ${DRIVER}`, () => {
  const database = openWithVectors();
  const store = new SqliteVectorStore({
    database,
    embeddingModel: hashingEmbeddingModel({ dimensions: 8 }),
    initializeSchema: 'create',
  });
  afterAll(() => void database.close());

  const idsFor = async (filterExpression: FilterExpression): Promise<string[]> =>
    (await store.similaritySearch({ query: 'x', topK: 100, filterExpression })).map(({ id }) => id).sort();
  const refill = async (all: readonly Metadata[]): Promise<Document[]> => {
    await store.delete({ filter: filter.or(filter.isNull('x'), filter.isNotNull('x')) });
    const documents = all.map((one, index) => document({ id: `d${index}`, text: 'x', metadata: one }));
    await store.add(documents);
    return documents;
  };

  it.each([
    ['any tree and any metadata', metadata, filters, 150],
    ['trees and metadata that name the same', denseMetadata, denseFilters, 250],
  ])('finds what evaluateFilter lets through, for %s', async (_, everyMetadata, everyFilter, numRuns) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(everyMetadata, { minLength: 1, maxLength: 6 }),
        fc.array(everyFilter, { minLength: 1, maxLength: 8 }),
        async (all, trees) => {
          const documents = await refill(all);
          for (const tree of trees) {
            if (ordersOtherwise(tree, all)) continue;
            const expected = documents.filter((one) => evaluateFilter(tree, one.metadata)).map(({ id }) => id);
            expect(await idsFor(tree)).toEqual(expected);
          }
        },
      ),
      { numRuns },
    );
  });

  it('gives metadata back as they were, whatever is in keys and values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(metadata, { minLength: 1, maxLength: 4 }), async (all) => {
        const documents = await refill(all);
        const found = await store.similaritySearch({ query: 'x', topK: 10 });
        const plain = found.map(({ id, metadata: { distance: _, ...own } }) => [id, own]);
        expect(Object.fromEntries(plain)).toEqual(
          Object.fromEntries(
            documents.map(({ id, metadata: { distance: _, ...own } }) => [id, JSON.parse(JSON.stringify(own))]),
          ),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('compares numbers to the last bit', async () => {
    const numbers = [
      0.1,
      0.1 + Number.EPSILON / 8,
      1 / 3,
      2 ** 53 - 1,
      -(2 ** 53) + 1,
      1e300,
      5e-324,
      1.7976931348623157e308,
    ];
    await refill(numbers.map((n) => ({ n })));
    for (const [index, n] of numbers.entries()) {
      expect(await idsFor(filter.eq('n', n))).toEqual([`d${index}`]);
      const below = numbers.flatMap((other, at) => (other < n ? [`d${at}`] : []));
      expect(await idsFor(filter.lt('n', n))).toEqual(below.sort());
    }
  });

  it('takes lists and chains of many thousands', async () => {
    await refill([{ n: 7 }, { n: -1 }, { n: 9_999 }]);
    const many = Array.from({ length: 50_000 }, (_, index) => index);
    expect(await idsFor(filter.in('n', many))).toEqual(['d0', 'd2']);
    expect(await idsFor(filter.nin('n', many))).toEqual(['d1']);
    const chain = many
      .slice(1, 2_000)
      .reduce<FilterExpression>((left, n) => filter.or(left, filter.eq('n', n)), filter.eq('n', 0));
    expect(await idsFor(chain)).toEqual(['d0']);
  });

  it('that is too large for a statement is an error that says so', async () => {
    const many = Array.from({ length: 30_000 }, (_, n) => filter.eq('n', n));
    const chain = many.reduce<FilterExpression>((left, right) => filter.or(left, right), filter.eq('n', -1));
    await expect(idsFor(chain)).rejects.toMatchObject({ code: 'store_read', subject: 'filter' });
  });
});
