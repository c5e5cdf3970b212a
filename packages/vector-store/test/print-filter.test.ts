import type { FilterExpression, FilterNode } from '@vernal/vector-store';
import { filter, parseFilter, printFilter } from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filters } from './filter-arbitraries.js';

function withoutGroups(node: FilterNode): FilterExpression {
  if ('group' in node) return withoutGroups(node.group);
  if (node.type === 'NOT') return { type: 'NOT', left: withoutGroups(node.left) };
  if (node.type !== 'AND' && node.type !== 'OR') return node;
  return { type: node.type, left: withoutGroups(node.left), right: withoutGroups(node.right) };
}

describe('printFilter', () => {
  it('prints what parseFilter reads back as an equal tree', () => {
    fc.assert(
      fc.property(filters, (tree) => {
        const read = parseFilter(printFilter(tree));
        // Parentheses that only the shape asked for come back as groups…
        expect(withoutGroups(read)).toEqual(withoutGroups(tree));
        // …and what was read once is read back exactly.
        expect(parseFilter(printFilter(read))).toEqual(read);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps trees that need no parentheses, and groups where they are', () => {
    const [a, b, c] = [filter.eq('a', 1), filter.eq('b', 2), filter.eq('c', 3)] as const;
    for (const tree of [
      filter.and(a, b, c),
      filter.or(filter.and(a, b), filter.not(c)),
      filter.and({ group: filter.or(a, b) }, c),
      filter.not({ group: filter.and(a, b) }),
      filter.not(filter.not(a)),
    ]) {
      expect(parseFilter(printFilter(tree))).toEqual(tree);
    }
  });

  it('prints in the plainest way', () => {
    expect(printFilter(parseFilter("country=='BG'&&(year>=2020||NOT tag in ['a',\"b\"])"))).toBe(
      "country == 'BG' AND (year >= 2020 OR NOT tag IN ['a', 'b'])",
    );
    expect(printFilter(filter.and(filter.or(filter.eq('a', 1), filter.eq('b', 2)), filter.eq('c', null)))).toBe(
      '(a == 1 OR b == 2) AND c == null',
    );
    expect(printFilter(filter.or(filter.isNull('a.b'), filter.isNotNull('x-y')))).toBe(
      "a.b IS NULL OR 'x-y' IS NOT NULL",
    );
    expect(printFilter(filter.eq('in', "it's\n\u0000"))).toBe(String.raw`'in' == 'it\'s\n\u0000'`);
    expect(printFilter(filter.nin('n', [1e21, 2 ** 53, 0.1, -1]))).toBe(
      'n NIN [1e+21, 9.007199254740992e+15, 0.1, -1]',
    );
  });

  it('refuses what is no filter', () => {
    expect(() => printFilter(JSON.parse('{"type":"AND"}'))).toThrow(
      expect.objectContaining({ code: 'filter_invalid' }),
    );
  });
});
