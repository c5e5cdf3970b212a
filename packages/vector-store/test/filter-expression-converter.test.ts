import type { FilterComparison, FilterOperator, FilterScalar } from '@vernal/vector-store';
import { evaluateFilter, FilterExpressionConverter, filter, parseFilter } from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filters } from './filter-arbitraries.js';

/** Writes everything with parentheses, so that the shape shows. */
class Shape extends FilterExpressionConverter<string> {
  protected and(left: string, right: string): string {
    return `(${left} & ${right})`;
  }
  protected or(left: string, right: string): string {
    return `(${left} | ${right})`;
  }
  protected compare(type: FilterComparison, key: string, value: FilterScalar): string {
    return `${key} ${type} ${JSON.stringify(value)}`;
  }
  protected list(type: 'IN' | 'NIN', key: string, values: readonly FilterScalar[]): string {
    return `${key} ${type} ${JSON.stringify(values)}`;
  }
  protected isNull(key: string, negated: boolean): string {
    return `${key} ${negated ? 'set' : 'unset'}`;
  }
  protected constant(value: boolean): string {
    return String(value);
  }
}

class Plain extends Shape {
  protected override readonly operators: readonly FilterOperator[] = ['AND', 'EQ', 'NE', 'IN'];
}

describe('FilterExpressionConverter', () => {
  const convert = (text: string): string => new Shape().convert(parseFilter(text));

  it('composes from the left and keeps the shape', () => {
    expect(convert('a == 1 AND b == 2 AND c == 3')).toBe('((a EQ 1 & b EQ 2) & c EQ 3)');
    expect(convert('(a == 1 OR b == 2) AND c == 3')).toBe('((a EQ 1 | b EQ 2) & c EQ 3)');
    expect(new Shape().convert(filter.and(filter.eq('a', 1), filter.and(filter.eq('b', 2), filter.eq('c', 3))))).toBe(
      '(a EQ 1 & (b EQ 2 & c EQ 3))',
    );
  });

  it('nests a long chain a few levels deep only, whatever its length, in the order it was written', () => {
    for (const length of [1, 2, 31, 32, 33, 1_000, 30_000]) {
      const tests = Array.from({ length }, (_, n) => filter.eq('a', n));
      const shape = new Shape().convert(tests.reduce((left, right) => filter.or(left, right)));
      let depth = 0;
      let deepest = 0;
      for (const character of shape) {
        if (character === '(') deepest = Math.max(deepest, ++depth);
        if (character === ')') depth--;
      }
      expect(deepest).toBeLessThan(45);
      expect(shape.match(/\d+/g)?.map(Number)).toEqual(Array.from({ length }, (_, n) => n));
    }
  });

  it('hands out no NOT, no null and no empty list', () => {
    expect(convert('NOT (a == 1 AND b IN [])')).toBe('(a NE 1 | true)');
    expect(convert('a IN [] OR b NIN []')).toBe('(false | true)');
    expect(convert('a == null AND b != null')).toBe('(a unset & b set)');
    expect(convert('NOT a IS NULL')).toBe('a set');
  });

  it('refuses operators that the dialect does not list, before anything is written', () => {
    expect(new Plain().convert(parseFilter('a == 1 AND NOT b == 2'))).toBe('(a EQ 1 & b NE 2)');
    for (const [text, capability] of [
      ['a == 1 AND b > 2', 'filter.GT'],
      ['a == 1 OR b == 2', 'filter.OR'],
      ['NOT (a == 1 AND b == 2)', 'filter.OR'],
      ['a == null', 'filter.ISNULL'],
      ['NOT a IN [1]', 'filter.NIN'],
    ] as const) {
      expect(() => new Plain().convert(parseFilter(text))).toThrow(
        expect.objectContaining({ code: 'unsupported_capability', capability }),
      );
    }
  });

  it('can carry the reference semantics', () => {
    class Predicate extends FilterExpressionConverter<(row: Record<string, FilterScalar>) => boolean> {
      protected and(left: (row: Record<string, FilterScalar>) => boolean, right: typeof left): typeof left {
        return (row) => left(row) && right(row);
      }
      protected or(left: (row: Record<string, FilterScalar>) => boolean, right: typeof left): typeof left {
        return (row) => left(row) || right(row);
      }
      protected compare(type: FilterComparison, key: string, value: FilterScalar) {
        return (row: Record<string, FilterScalar>) => evaluateFilter({ type, left: { key }, right: { value } }, row);
      }
      protected list(type: 'IN' | 'NIN', key: string, value: readonly FilterScalar[]) {
        return (row: Record<string, FilterScalar>) => evaluateFilter({ type, left: { key }, right: { value } }, row);
      }
      protected isNull(key: string, negated: boolean) {
        return (row: Record<string, FilterScalar>) =>
          evaluateFilter({ type: negated ? 'ISNOTNULL' : 'ISNULL', left: { key } }, row);
      }
      protected constant(value: boolean) {
        return () => value;
      }
    }
    const rows = [{}, { a: 1 }, { a: 'a', b: '' }, { a: null, b: 2, tag: 'b' }, { b: true, tag: 1 }];
    fc.assert(
      fc.property(filters, (tree) => {
        const test = new Predicate().convert(tree);
        for (const row of rows) expect(test(row)).toBe(evaluateFilter(tree, row));
      }),
    );
  });
});
