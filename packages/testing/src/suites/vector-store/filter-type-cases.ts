import { filter, parseFilter } from '@vernal/vector-store';
import { checkCode, checkEqual, SuiteFailure } from '../kernel/assertions.js';
import { notDeclared } from '../kernel/suite-case.js';
import { filterCase } from './filter-rule-cases.js';
import type { StoreCase } from './store-case.js';
import { doc } from './store-stage.js';

const TOO_LARGE = ['invalid_argument', 'filter_invalid', 'unsupported_capability', 'store_read'];
const LONG_LIST = Array.from({ length: 40_000 }, (_, index) => index + 8);

/** One key with values of every type, dates, precedence, and lists longer than most engines bind. */
export const filterTypeCases: readonly StoreCase[] = [
  filterCase(
    'vs.filter.mixed-key',
    'a key that holds numbers, texts, null, objects and lists breaks no comparison',
    [
      { p: 9 },
      { p: 10 },
      { p: '10' },
      { p: 'N/A' },
      { p: null },
      {},
      { p: { v: 10 } },
      { p: [10, 11] },
      { p: 10.5 },
      { p: 9007199254740992 },
      { p: true },
      { p: '' },
      { p: [] },
      { p: [[10]] },
    ],
    [
      filter.gt('p', 9),
      filter.eq('p', 10),
      filter.eq('p', '10'),
      filter.in('p', [9, 10]),
      filter.nin('p', [9, 10, '']),
      filter.lte('p', 9.5),
      filter.gt('p', 'A'),
      filter.lt('p', 'Z'),
      filter.ne('p', true),
      filter.isNull('p'),
      filter.not(filter.gt('p', 9)),
      filter.eq('p.v', 10),
    ],
  ),
  filterCase(
    'vs.filter.dates',
    'dates are ISO texts and order as such',
    [
      { at: '2024-02-29T00:00:00.000Z' },
      { at: '2025-03-01T12:00:00.000Z' },
      { at: '2025-03-01T12:00:00Z' },
      { at: 1740830400000 },
      {},
    ],
    [
      filter.eq('at', new Date('2025-03-01T12:00:00Z')),
      filter.lt('at', new Date('2025-01-01T00:00:00Z')),
      filter.gte('at', '2025-03-01'),
      filter.in('at', [new Date('2024-02-29T00:00:00Z')]),
    ],
  ),
  filterCase(
    'vs.filter.precedence',
    'NOT binds tighter than AND, AND tighter than OR, in texts as in trees without groups',
    [{ a: 1, b: 1, c: 1 }, { a: 1, b: 2, c: 1 }, { a: 2, b: 1, c: 1 }, { a: 2, b: 2, c: 2 }, { a: 1, b: 2, c: 2 }, {}],
    [
      parseFilter('a == 1 || b == 1 && c == 2'),
      parseFilter('(a == 1 || b == 1) && c == 2'),
      parseFilter('NOT a == 1 && b == 2'),
      parseFilter('NOT (a == 1 || b == 1) || c == 1 && a == 1'),
      filter.and(filter.or(filter.eq('a', 1), filter.eq('b', 1)), filter.or(filter.eq('c', 2), filter.eq('b', 2))),
      filter.not(filter.and(filter.or(filter.eq('a', 1), filter.eq('b', 1)), filter.not(filter.eq('c', 2)))),
    ],
  ),
  {
    id: 'vs.filter.long-chain',
    title: 'a filter as long as a text may be finds what it says, or is refused with a typed error',
    async run(stage) {
      const { filterOperators } = stage.store.capabilities;
      if (!filterOperators.includes('EQ') || !filterOperators.includes('OR')) notDeclared('EQ and OR are not declared');
      await stage.add(doc('in', { n: 7 }), doc('out', { n: -7 }));
      // As of a stranger, who has no list.
      const filterExpression = Array.from({ length: 10_000 }, (_, at) => `n==${at % 10}`).join('||');
      try {
        checkEqual(await stage.ids({ filterExpression }), ['in'], 'documents');
      } catch (error) {
        if (error instanceof SuiteFailure) throw error;
        checkCode(error, TOO_LARGE, 'a long filter');
      }
    },
  },
  {
    id: 'vs.filter.long-list',
    title: 'a list of 40,000 values finds what is in it, or is refused with a typed error',
    async run(stage) {
      if (!stage.store.capabilities.filterOperators.includes('IN')) notDeclared('IN is not declared');
      await stage.add(
        ...Array.from({ length: 10 }, (_, n) => doc(`d${n}`, { n })),
        doc('list', { n: ['x', 9] }),
        doc('none'),
      );
      try {
        const found = await stage.ids({ filterExpression: filter.in('n', LONG_LIST) });
        checkEqual(found.toSorted(), ['d8', 'd9', 'list'], 'documents in the list');
        if (!stage.store.capabilities.filterOperators.includes('NIN')) return;
        const others = await stage.ids({ filterExpression: filter.nin('n', LONG_LIST) });
        checkEqual(others.length, 9, 'documents not in the list');
      } catch (error) {
        if (error instanceof SuiteFailure) throw error;
        checkCode(error, TOO_LARGE, 'a long list');
      }
    },
  },
];
