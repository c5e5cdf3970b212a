import type { Document } from '@vernal/core';
import type { FilterExpression } from '@vernal/vector-store';
import { filter } from '@vernal/vector-store';
import { checkFilters } from './filter-check.js';
import type { StoreCase } from './store-case.js';
import { doc } from './store-stage.js';

export function filterCase(
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

/** The rules of `evaluateFilter`, one by one. */
export const filterRuleCases: readonly StoreCase[] = [
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
    'strings compare by code point and with their case',
    [
      { s: 'a' },
      { s: 'A' },
      { s: 'b' },
      { s: 'é' },
      { s: 'z' },
      { s: '' },
      { s: 'aa' },
      { s: ' a' },
      { s: '😀' },
      { s: '\uff21' },
    ],
    [
      filter.eq('s', 'A'),
      filter.gt('s', 'a'),
      filter.lt('s', 'a'),
      filter.gte('s', 'é'),
      filter.lte('s', ''),
      filter.ne('s', 'a'),
      filter.gt('s', '\uff21'),
      filter.lte('s', '\uff21'),
      filter.lt('s', '😀'),
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
    [{ a: { b: 1 } }, { 'a.b': 1 }, { 'a.b': 2, a: { b: 1 } }, { a: 1 }, { a: { b: { c: 'x' } } }, { a: [{ b: 1 }] }],
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
];
