import type { Metadata } from '@vernal/core';
import { UnsupportedCapabilityError } from '@vernal/core';
import type { FilterExpression, FilterOperator } from '@vernal/vector-store';
import { filter } from '@vernal/vector-store';
import { check, checkEqual, rejection, rejectsWith, show } from '../kernel/assertions.js';
import { notDeclared } from '../kernel/suite-case.js';
import { checkFilters, declared } from './filter-check.js';
import { randomFilter, randomMetadata } from './random-filter.js';
import type { StoreCase } from './store-case.js';
import { doc } from './store-stage.js';

const OPERATORS: readonly FilterOperator[] = [
  'EQ',
  'NE',
  'GT',
  'GTE',
  'LT',
  'LTE',
  'IN',
  'NIN',
  'ISNULL',
  'ISNOTNULL',
  'AND',
  'OR',
  'NOT',
];

/** Of random metadata, those that lack a key, hold null, and hold a text or a number where the other is usual. */
function oddities(all: readonly Metadata[]): Readonly<Record<'missing' | 'null' | 'mixed', number>> {
  const count = (test: (metadata: Metadata) => boolean): number => all.filter(test).length;
  return {
    missing: count((one) => ['s', 'n', 'b', 'list', 'mixed', 'deep'].some((key) => !(key in one))),
    null: count((one) => JSON.stringify(one).includes('null')),
    mixed: count(
      (one) => typeof one['mixed'] !== 'string' || typeof one['n'] === 'string' || typeof one['s'] === 'number',
    ),
  };
}

/** Random trees against the oracle, filters as text, operators that are not declared. */
export const filterCases: readonly StoreCase[] = [
  {
    id: 'vs.filter.oracle',
    title: 'random filters find what evaluateFilter says',
    async run(stage, random) {
      const documents = Array.from({ length: 40 }, (_, index) => doc(`r${index}`, randomMetadata(random)));
      for (const [what, count] of Object.entries(oddities(documents.map((one) => one.metadata))))
        check(count * 3 >= documents.length, `a third of the random documents must be ${what}, ${count} are`);
      await stage.add(...documents);
      const filters = Array.from({ length: 80 }, () =>
        randomFilter(random, stage.store.capabilities.filterOperators, 3),
      );
      await checkFilters(
        stage,
        documents,
        filters.flatMap((one) => one ?? []),
      );
    },
  },
  {
    id: 'vs.filter.oracle-not',
    title: 'random filters under NOT, once and twice, find what evaluateFilter says',
    async run(stage, random) {
      const documents = Array.from({ length: 30 }, (_, index) => doc(`n${index}`, randomMetadata(random)));
      await stage.add(...documents);
      const filters = Array.from({ length: 25 }, () =>
        randomFilter(random, stage.store.capabilities.filterOperators, 2),
      );
      await checkFilters(
        stage,
        documents,
        filters.flatMap((one) => (one === undefined ? [] : [filter.not(one), filter.not(filter.not(one))])),
      );
    },
  },
  {
    id: 'vs.filter.text',
    title: 'a filter given as text finds what the same tree finds',
    async run(stage) {
      await stage.add(
        doc('a', { year: 2020, city: 'Delft' }),
        doc('b', { year: 2024, city: 'Rome' }),
        doc('c', { year: 2024 }),
      );
      const tree = filter.and(filter.gte('year', 2021), filter.eq('city', 'Rome'));
      if (!declared(stage, tree)) notDeclared('GTE, EQ and AND are not all declared');
      checkEqual(await stage.ids({ filterExpression: "year >= 2021 && city == 'Rome'" }), ['b'], 'documents by text');
      checkEqual(await stage.ids({ filterExpression: tree }), ['b'], 'documents by tree');
      await rejectsWith(() => stage.search({ filterExpression: 'year >=' }), 'filter_parse', 'a broken filter');
    },
  },
  {
    id: 'vs.filter.undeclared',
    title: 'operators that are not declared are refused',
    async run({ store }) {
      const missing = OPERATORS.filter((type) => !store.capabilities.filterOperators.includes(type) && type !== 'NOT');
      if (missing.length === 0) notDeclared('every operator is declared');
      const left = { key: 'a' };
      for (const type of missing) {
        const eq: FilterExpression = { type: 'EQ', left, right: { value: 1 } };
        const filterExpression: FilterExpression =
          type === 'AND' || type === 'OR'
            ? { type, left: eq, right: eq }
            : type === 'IN' || type === 'NIN'
              ? { type, left, right: { value: [1] } }
              : type === 'ISNULL' || type === 'ISNOTNULL' || type === 'NOT'
                ? filter.isNull('a')
                : { type, left, right: { value: 1 } };
        const error = await rejection(
          () => store.similaritySearch({ query: 'x', filterExpression }),
          `operator ${type}`,
        );
        check(
          UnsupportedCapabilityError.is(error),
          `operator ${type} must be refused with UnsupportedCapabilityError, got ${show(error)}`,
        );
      }
    },
  },
];
