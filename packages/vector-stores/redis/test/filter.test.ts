import type { Document, JsonValue, Metadata } from '@vernal/core';
import { document } from '@vernal/core';
import type { FilterExpression } from '@vernal/vector-store';
import { evaluateFilter, filter } from '@vernal/vector-store';
import type { RedisClient } from '@vernal/vector-store-redis';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filters, keys, scalars } from '../../../vector-store/test/filter-arbitraries.js';
import { describeOnServer } from './server.js';

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

/** Counts the searches that a store makes. */
function counting(client: RedisClient): { readonly client: RedisClient; searches: number } {
  const counted = {
    searches: 0,
    client: {
      call(command: string, args: Parameters<RedisClient['call']>[1]) {
        if (command === 'FT.SEARCH') counted.searches++;
        return client.call(command, args);
      },
      callBuffer: (command: string, args: Parameters<RedisClient['call']>[1]) => client.callBuffer(command, args),
      multi: (commands: unknown[][]) => client.multi(commands),
    },
  };
  return counted;
}

describeOnServer('a filter', (server) => {
  for (const [name, metadataFields] of [
    ['no declared field', []],
    [
      'declared fields',
      ['a', 'b', 'a.b', '__proto__', 'x-y', ''].map((key) => ({ name: key, type: 'numeric' as const })),
    ],
  ] as const) {
    const store = server.store({ metadataFields, algorithm: 'FLAT' });
    it(`finds and deletes what evaluateFilter lets through, with ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(metadata, { minLength: 1, maxLength: 8 }),
          fc.array(filters, { minLength: 1, maxLength: 6 }),
          async (all, trees) => {
            await store.delete({ filter: filter.or(filter.isNull('x'), filter.isNotNull('x')) });
            const documents = all.map((one, at): Document => document({ id: `d${at}`, text: 'x', metadata: one }));
            await store.add(documents);
            const matching = (tree: FilterExpression): string[] =>
              documents.filter((one) => evaluateFilter(tree, one.metadata)).map(({ id }) => id);
            for (const tree of trees) {
              const found = await store.similaritySearch({ query: 'x', topK: 100, filterExpression: tree });
              expect(found.map(({ id }) => id).sort()).toEqual(matching(tree));
            }
            const [gone] = trees as [FilterExpression];
            expect((await store.delete({ filter: gone })).deleted).toBe(matching(gone).length);
            const left = await store.similaritySearch({ query: 'x', topK: 100 });
            expect(left.map(({ id }) => id).sort()).toEqual(
              documents.map(({ id }) => id).filter((id) => !matching(gone).includes(id)),
            );
          },
        ),
        { numRuns: 150 },
      );
    });
  }

  it('sees no path behind a key that is literally so called', async () => {
    const store = server.store();
    const all = [{ 'a.b': 2, a: { b: 1 } }, { 'a.b': null, a: { b: 1 } }, { a: { b: 1, 'b.c': 3 } }, { a: [{ b: 1 }] }];
    await store.add(all.map((one, at) => document({ id: `d${at}`, text: 'x', metadata: one })));
    for (const tree of [
      filter.ne('a.b', 1),
      filter.nin('a.b', [1]),
      filter.isNull('a.b'),
      filter.isNotNull('a.b'),
      filter.ne('a.b.c', 3),
    ]) {
      const found = await store.similaritySearch({ query: 'x', topK: 9, filterExpression: tree });
      const expected = all.flatMap((one, at) => (evaluateFilter(tree, one) ? [`d${at}`] : []));
      expect(found.map(({ id }) => id).sort()).toEqual(expected);
    }
  });

  it('finds what one alternative of each of two lets through', async () => {
    const store = server.store();
    await store.add([document({ id: 'd0', text: 'x', metadata: {} })]);
    const left = filter.or(filter.and(filter.in('in', []), filter.eq('a', 0)), filter.ne('a', 0));
    const right = filter.or(filter.and(filter.in('', []), filter.isNull('')), filter.isNull('a'));
    for (const tree of [filter.and(left, right), filter.and(right, left)]) {
      const found = await store.similaritySearch({ query: 'x', topK: 9, filterExpression: tree });
      expect(found.map(({ id }) => id)).toEqual(['d0']);
    }
  });

  it('goes on until topK is reached when the engine cannot order, and asks once when it can', async () => {
    const documents = Array.from({ length: 600 }, (_, at) =>
      document({ id: `d${at}`, text: `text ${at}`, metadata: { rank: at, name: `n${String(at).padStart(3, '0')}` } }),
    );
    const plain = counting(server.client);
    const undeclared = server.store({ client: plain.client });
    await undeclared.add(documents);
    const search = { query: 'text', topK: 3 };
    const late = await undeclared.similaritySearch({ ...search, filterExpression: "name >= 'n598'" });
    expect(late.map(({ id }) => id).sort()).toEqual(['d598', 'd599']);
    expect(plain.searches).toBeGreaterThan(1);
    const both = await undeclared.similaritySearch({ ...search, filterExpression: 'rank > 597 AND rank <= 598' });
    expect(both.map(({ id }) => id)).toEqual(['d598']);

    const quick = counting(server.client);
    const declared = server.store({ client: quick.client, metadataFields: [{ name: 'rank', type: 'numeric' }] });
    await declared.add(documents);
    const found = await declared.similaritySearch({ ...search, filterExpression: 'rank > 597' });
    expect(found.map(({ id }) => id).sort()).toEqual(['d598', 'd599']);
    expect(quick.searches).toBe(1);
  });

  it('deletes page by page what matches among more that does not', async () => {
    const store = server.store({ algorithm: 'FLAT', maxBatch: 1000 });
    await store.add(
      Array.from({ length: 3300 }, (_, at) =>
        document({ id: `d${at}`, text: 'x', metadata: { name: at % 3 === 0 ? `gone${at}` : `kept${at}` } }),
      ),
    );
    expect(await store.delete({ filter: "name < 'kept'" })).toEqual({ deleted: 1100 });
    expect(await store.delete({ filter: "name < 'kept'" })).toEqual({ deleted: 0 });
    expect(await store.delete({ filter: "name >= 'kept'" })).toEqual({ deleted: 2200 });
    expect(await store.similaritySearch('x')).toEqual([]);
  });

  it('may be deeper than the parser of the engine, and as long as a filter can be', async () => {
    const store = server.store();
    await store.add([
      document({ id: 'a', text: 'x', metadata: { n: 1 } }),
      document({ id: 'b', text: 'x', metadata: {} }),
    ]);
    let deep = filter.eq('n', 1);
    for (let level = 0; level < 450; level++)
      deep = level % 2 === 0 ? filter.and(filter.ne('n', 2), deep) : filter.or(filter.eq('n', 3), deep);
    const long = Array.from({ length: 20_000 }, (_, at) => filter.eq('n', at)).reduce((one, other) =>
      filter.or(one, other),
    );
    for (const filterExpression of [deep, long])
      expect((await store.similaritySearch({ query: 'x', filterExpression })).map(({ id }) => id)).toEqual(['a']);
  });
});
