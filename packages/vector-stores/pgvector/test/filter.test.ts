import type { Document, JsonValue, Metadata } from '@vernal/core';
import { document } from '@vernal/core';
import type { FilterExpression, FilterScalar } from '@vernal/vector-store';
import { evaluateFilter, filter } from '@vernal/vector-store';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filters, keys, scalars } from '../../../vector-store/test/filter-arbitraries.js';
import { Scratch } from './scratch.js';
import { serverPool } from './server.js';

const { pool, reason } = serverPool(3);

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
const fewKeys = fc.constantFrom('a', 'b', 'a.b', 'q"q', 'b\\s', 'n\nl', '$', '*', '\ud800', '\0', '', '.', 'a..b');
const fewScalars = fc.constantFrom<FilterScalar>(0, 1, -1.5, '', '1', 'x', "it's", '\0', true, false);
const fewValues: fc.Arbitrary<JsonValue> = fc.oneof(
  fewScalars,
  fc.constant(null),
  fc.array(fc.oneof(fewScalars, fc.constant(null), fc.constant([1])), { maxLength: 2 }),
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
    type: fc.constantFrom('IN' as const, 'NIN' as const),
    left,
    right: fc.record({ value: fc.array(fewScalars, { minLength: 32, maxLength: 40 }) }),
  }),
  fc.record({
    type: fc.constantFrom('GT' as const, 'GTE' as const, 'LT' as const, 'LTE' as const),
    left,
    right: fc.record({ value: fc.constantFrom(0, 1, '', '1', 'x') }),
  }),
  fc.record({ type: fc.constantFrom('ISNULL' as const, 'ISNOTNULL' as const), left }),
);

/** What PostgreSQL does not hold is stored as a private character and a code, and orders as such. */
const ORDERED_OTHERWISE = /\0|\p{Surrogate}/u;
const holdsOdd = (value: unknown): boolean =>
  typeof value === 'string'
    ? ORDERED_OTHERWISE.test(value)
    : typeof value === 'object' && value !== null && Object.entries(value).flat().some(holdsOdd);
const ordersOtherwise = (tree: FilterExpression, all: readonly Metadata[]): boolean =>
  /"(?:GT|GTE|LT|LTE)"/.test(JSON.stringify(tree)) && holdsOdd([tree, all]);

describe.skipIf(pool === undefined)(`a filter of PgVectorStore ${reason ?? ''}`, () => {
  let place: Scratch;
  let store: ReturnType<Scratch['store']>;
  beforeAll(async () => {
    if (pool === undefined) return;
    place = new Scratch(pool);
    store = place.store({ indexType: 'none' });
    await store.initialize();
  });
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]();
    await pool?.end();
  });
  const refill = async (all: readonly Metadata[]): Promise<Document[]> => {
    await place.rows('TRUNCATE PLACE.vector_store');
    const documents = all.map((one, index) => document({ id: `d${index}`, text: '1 0 0', metadata: one }));
    await store.add(documents);
    return documents;
  };
  const found = async (filterExpression?: FilterExpression): Promise<Document[]> =>
    store.similaritySearch({ query: '', vector: Float32Array.of(1, 0, 0), topK: 100, filterExpression });

  it.each([
    ['any tree and any metadata', metadata, filters, 60],
    ['trees and metadata that name the same', denseMetadata, denseFilters, 100],
  ])('finds and deletes what evaluateFilter lets through, for %s', async (_, everyMetadata, everyFilter, numRuns) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(everyMetadata, { minLength: 1, maxLength: 6 }),
        fc.array(everyFilter, { minLength: 1, maxLength: 8 }),
        async (all, trees) => {
          const documents = await refill(all);
          const matching = (tree: FilterExpression): string[] =>
            documents.filter((one) => evaluateFilter(tree, one.metadata)).map(({ id }) => id);
          const clear = trees.filter((tree) => !ordersOtherwise(tree, all));
          for (const tree of clear) expect((await found(tree)).map(({ id }) => id).sort()).toEqual(matching(tree));
          const gone = clear[0] ?? filter.in('a', []);
          expect(await store.delete({ filter: gone })).toEqual({ deleted: matching(gone).length });
          expect((await found()).map(({ id }) => id).sort()).toEqual(
            documents.map(({ id }) => id).filter((id) => !matching(gone).includes(id)),
          );
        },
      ),
      { numRuns },
    );
  });

  it('gives metadata back as they were, whatever is in keys and values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(metadata, { minLength: 1, maxLength: 4 }), async (all) => {
        const documents = await refill(all);
        const own = ({ id, metadata: { distance: _, ...rest } }: Document): unknown => [id, rest];
        expect(Object.fromEntries((await found()).map(own) as [string, unknown][])).toEqual(
          Object.fromEntries(JSON.parse(JSON.stringify(documents.map(own))) as [string, unknown][]),
        );
      }),
      { numRuns: 30 },
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
      Number.MAX_VALUE,
    ];
    await refill(numbers.map((n) => ({ n })));
    const ids = async (tree: FilterExpression): Promise<string[]> => (await found(tree)).map(({ id }) => id).sort();
    for (const [index, n] of numbers.entries()) {
      expect(await ids(filter.eq('n', n))).toEqual([`d${index}`]);
      expect(await ids(filter.lt('n', n))).toEqual(
        numbers.flatMap((other, at) => (other < n ? [`d${at}`] : [])).sort(),
      );
    }
  });

  it('takes chains of many thousands, and says so when one is too large for a statement', async () => {
    await refill([{ n: 7 }, { n: -1 }]);
    const chain = (test: (n: number) => FilterExpression): FilterExpression =>
      Array.from({ length: 30_000 }, (_, n) => test(n)).reduce((left, right) => filter.or(left, right));
    expect((await found(chain((n) => filter.eq('n', n)))).map(({ id }) => id)).toEqual(['d0']);
    const tooLarge = chain((n) => filter.gt('n', n));
    const error = { subject: 'filter', message: expect.stringContaining('65,535'), retryable: false };
    await expect(found(tooLarge)).rejects.toMatchObject({ code: 'invalid_argument', ...error });
    await expect(store.delete({ filter: tooLarge })).rejects.toMatchObject({ code: 'invalid_argument', ...error });
  });
});
