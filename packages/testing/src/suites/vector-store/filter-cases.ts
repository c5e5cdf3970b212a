import type { Document } from '@vernal/core';
import { UnsupportedCapabilityError } from '@vernal/core';
import type { FilterExpression, FilterOperator } from '@vernal/vector-store';
import { evaluateFilter, filter, normalizeFilter, printFilter } from '@vernal/vector-store';
import { check, checkEqual, rejection, rejectsWith, show } from '../kernel/assertions.js';
import { notDeclared } from '../kernel/suite-case.js';
import { randomFilter, randomMetadata } from './random-filter.js';
import type { StoreCase } from './store-case.js';
import type { StoreStage } from './store-stage.js';
import { doc } from './store-stage.js';

function operatorsOf(expression: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof expression !== 'object' || expression === null) return found;
  const type: unknown = Reflect.get(expression, 'type');
  if (typeof type === 'string') found.add(type);
  for (const side of ['left', 'right', 'group']) operatorsOf(Reflect.get(expression, side), found);
  return found;
}

/** Does the engine declare what is left of the filter once NOT is pushed down? */
function declared(stage: StoreStage, expression: FilterExpression): boolean {
  const operators: readonly string[] = stage.store.capabilities.filterOperators;
  return [...operatorsOf(normalizeFilter(expression))].every((type) => operators.includes(type));
}

/** Each filter must find what `evaluateFilter` says, on documents that are stored already. */
async function checkFilters(
  stage: StoreStage,
  documents: readonly Document[],
  filters: readonly FilterExpression[],
): Promise<void> {
  let tried = 0;
  for (const filterExpression of filters) {
    if (!declared(stage, filterExpression)) continue;
    tried++;
    const expected = documents.filter((one) => evaluateFilter(filterExpression, one.metadata)).map((one) => one.id);
    const actual = await stage.ids({ filterExpression });
    checkEqual(actual.toSorted(), expected.toSorted(), `documents for ${printFilter(filterExpression)}`);
  }
  if (tried === 0) notDeclared('none of the operators is declared');
}

function filterCase(
  id: StoreCase['id'],
  title: string,
  metadata: readonly Document['metadata'][],
  filters: readonly FilterExpression[],
): StoreCase {
  return {
    id,
    title,
    async run(stage) {
      const documents = metadata.map((one, index) => doc(`d${index}`, one));
      await stage.add(...documents);
      await checkFilters(stage, documents, filters);
    },
  };
}

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

export const filterCases: readonly StoreCase[] = [
  filterCase(
    'vs.filter.missing',
    'a missing key and null match NE, NIN and ISNULL, and nothing else',
    [{ a: 'x' }, { a: null }, {}, { b: 'x' }],
    [
      filter.eq('a', 'x'),
      filter.ne('a', 'x'),
      filter.in('a', ['x', 'y']),
      filter.nin('a', ['x', 'y']),
      filter.isNull('a'),
      filter.isNotNull('a'),
      filter.gt('a', ''),
      filter.lte('a', 'z'),
      filter.not(filter.eq('a', 'x')),
    ],
  ),
  filterCase(
    'vs.filter.types',
    'numbers, numeric strings and booleans are never taken for each other',
    [
      { v: 10 },
      { v: '10' },
      { v: 9 },
      { v: '9' },
      { v: true },
      { v: 'true' },
      { v: 1 },
      { v: 'junk' },
      { v: 0 },
      { v: false },
      { v: '' },
    ],
    [
      filter.eq('v', 10),
      filter.eq('v', '10'),
      filter.eq('v', true),
      filter.eq('v', 'true'),
      filter.ne('v', 1),
      filter.gt('v', 9),
      filter.gt('v', '9'),
      filter.lt('v', 10),
      filter.lte('v', '9'),
      filter.in('v', [10, 'true']),
      filter.eq('v', ''),
      filter.eq('v', 0),
    ],
  ),
  filterCase(
    'vs.filter.numbers',
    'numbers compare as numbers, fractions and large ones too',
    [{ n: -1.5 }, { n: 0 }, { n: 0.1 }, { n: 1 }, { n: 2 }, { n: 10 }, { n: 9007199254740991 }],
    [
      filter.gte('n', 0.1),
      filter.lt('n', 0),
      filter.eq('n', 9007199254740991),
      filter.gt('n', 2),
      filter.and(filter.gt('n', -2), filter.lte('n', 1)),
    ],
  ),
  filterCase(
    'vs.filter.strings',
    'strings compare by code unit and with their case',
    [{ s: 'a' }, { s: 'A' }, { s: 'b' }, { s: 'é' }, { s: 'z' }, { s: '' }, { s: 'aa' }, { s: ' a' }],
    [
      filter.eq('s', 'A'),
      filter.gt('s', 'a'),
      filter.lt('s', 'a'),
      filter.gte('s', 'é'),
      filter.lte('s', ''),
      filter.ne('s', 'a'),
    ],
  ),
  filterCase(
    'vs.filter.arrays',
    'an array matches EQ and IN by one element, NE and NIN by none, an ordered comparison never',
    [{ t: ['a', 'b'] }, { t: ['b'] }, { t: [] }, { t: 'a' }, { t: [1, 'c'] }],
    [
      filter.eq('t', 'a'),
      filter.ne('t', 'a'),
      filter.in('t', ['a', 'c']),
      filter.nin('t', ['a', 'c']),
      filter.gt('t', 'A'),
      filter.eq('t', 1),
    ],
  ),
  filterCase(
    'vs.filter.dotted',
    'dotted keys reach into objects; a key that holds the dot wins',
    [{ a: { b: 1 } }, { 'a.b': 1 }, { 'a.b': 2, a: { b: 1 } }, { a: 1 }, { a: { b: { c: 'x' } } }],
    [filter.eq('a.b', 1), filter.eq('a.b', 2), filter.isNull('a.b'), filter.eq('a.b.c', 'x')],
  ),
  filterCase(
    'vs.filter.empty-lists',
    'IN of nothing matches nothing, NIN of nothing everything',
    [{ a: 1 }, {}, { a: null }],
    [
      filter.in('a', []),
      filter.nin('a', []),
      filter.not(filter.in('a', [])),
      filter.or(filter.eq('a', 1), filter.in('a', [])),
    ],
  ),
  filterCase(
    'vs.filter.nesting',
    'AND, OR, NOT and groups nest',
    [{ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 1 }, { a: 2 }, {}],
    [
      filter.or(filter.and(filter.eq('a', 1), filter.eq('b', 2)), filter.eq('a', 2)),
      filter.and(filter.eq('a', 1), filter.group(filter.or(filter.eq('b', 2), filter.eq('a', 2)))),
      filter.not(filter.or(filter.eq('a', 1), filter.eq('b', 1))),
      filter.not(filter.group(filter.and(filter.eq('a', 1), filter.not(filter.eq('b', 1))))),
    ],
  ),
  {
    id: 'vs.filter.oracle',
    title: 'random filters find what evaluateFilter says',
    async run(stage, random) {
      const documents = Array.from({ length: 40 }, (_, index) => doc(`r${index}`, randomMetadata(random)));
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
