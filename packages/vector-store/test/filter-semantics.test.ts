import type { JsonValue, Metadata } from '@vernal/core';
import type { FilterExpression, FilterNode, FilterScalar, NormalFilter } from '@vernal/vector-store';
import {
  compileFilter,
  evaluateFilter,
  filter,
  normalizeFilter,
  parseFilter,
  validateFilter,
} from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filters, keys, scalars, texts } from './filter-arbitraries.js';

// An evaluator of its own, straight from the rules, without closures, chains or shared code: NOT is carried down as a flag.
function naive(node: FilterNode, metadata: Metadata, negated = false): boolean {
  if ('group' in node) return naive(node.group, metadata, negated);
  switch (node.type) {
    case 'NOT':
      return naive(node.left, metadata, !negated);
    case 'AND':
    case 'OR': {
      const left = naive(node.left, metadata, negated);
      const right = naive(node.right, metadata, negated);
      return (node.type === 'AND') !== negated ? left && right : left || right;
    }
    case 'ISNULL':
    case 'ISNOTNULL':
      return (find(metadata, node.left.key) === null) === ((node.type === 'ISNULL') !== negated);
    case 'IN':
    case 'NIN': {
      const found = node.right.value.some((value) => same(find(metadata, node.left.key), value));
      return found === ((node.type === 'IN') !== negated);
    }
    case 'EQ':
    case 'NE': {
      const value = find(metadata, node.left.key);
      const equal = node.right.value === null ? value === null : same(value, node.right.value);
      return equal === ((node.type === 'EQ') !== negated);
    }
    default: {
      const value = find(metadata, node.left.key);
      const wanted = node.right.value;
      if (typeof value !== typeof wanted || (typeof value !== 'number' && typeof value !== 'string')) return false;
      const order = compare(value, wanted as number | string);
      const holds = { GT: order > 0, GTE: order >= 0, LT: order < 0, LTE: order <= 0 }[node.type];
      return negated ? !holds : holds;
    }
  }
}

function find(metadata: Metadata, key: string): JsonValue {
  const literal = Object.entries(metadata).find(([name]) => name === key);
  if (literal !== undefined) return literal[1];
  if (!key.includes('.')) return null;
  let value: JsonValue = metadata;
  for (const name of key.split('.')) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
    const entry: [string, JsonValue] | undefined = Object.entries(value).find(([own]) => own === name);
    if (entry === undefined) return null;
    value = entry[1];
  }
  return value;
}

function same(value: JsonValue, wanted: FilterScalar): boolean {
  if (Array.isArray(value)) return value.some((item) => typeof item === typeof wanted && item === wanted);
  return typeof value === typeof wanted && value === wanted;
}

function compare(left: number | string, right: number | string): number {
  if (typeof left === 'number') return left - Number(right);
  const points = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const [a, b] = [points(left), points(String(right))];
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return (a[i] ?? 0) - (b[i] ?? 0);
  return a.length - b.length;
}

const values: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 3, arbitrary: scalars },
  fc.constant(null),
  fc.array(fc.oneof(scalars, fc.constant(null)), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('b', 'c', 'constructor', '__proto__'), scalars, { maxKeys: 2 }),
  fc.record({ b: fc.record({ c: scalars }) }),
);
const metadatas: fc.Arbitrary<Metadata> = fc.dictionary(keys, values, { maxKeys: 5 });

/** The keys of the filter get values that the filter mentions, so that matches are not a rarity. */
function near(tree: FilterNode, seed: number): Metadata {
  const metadata: Record<string, JsonValue> = {};
  const set = (key: string, choice: FilterScalar): void => {
    const value = [choice, [choice, 'other'], typeof choice === 'number' ? choice + 1 : `${String(choice)}x`][seed % 3];
    Object.defineProperty(metadata, key, { value, enumerable: true, configurable: true, writable: true });
  };
  const walk = (node: FilterNode): void => {
    if ('group' in node) walk(node.group);
    else if (node.type === 'NOT') walk(node.left);
    else walkPredicate(node);
  };
  const walkPredicate = (node: FilterExpression): void => {
    switch (node.type) {
      case 'AND':
      case 'OR':
        walk(node.left);
        walk(node.right);
        break;
      case 'NOT':
      case 'ISNULL':
      case 'ISNOTNULL':
        if ('key' in node.left) set(node.left.key, null);
        break;
      case 'IN':
      case 'NIN':
        set(node.left.key, node.right.value[seed % Math.max(1, node.right.value.length)] ?? null);
        break;
      default:
        set(node.left.key, node.right.value);
    }
  };
  walk(tree);
  return metadata;
}

function isNormal(node: FilterNode): node is NormalFilter {
  if ('group' in node) return false;
  switch (node.type) {
    case 'NOT':
      return false;
    case 'AND':
    case 'OR':
      return isNormal(node.left) && isNormal(node.right);
    case 'EQ':
    case 'NE':
      return node.right.value !== null;
    default:
      return true;
  }
}

describe('evaluateFilter', () => {
  it('agrees with an evaluator that was written from the rules alone', () => {
    let matches = 0;
    fc.assert(
      fc.property(filters, metadatas, fc.nat(9), (tree, random, seed) => {
        for (const metadata of [random, near(tree, seed)]) {
          const expected = naive(tree, metadata);
          if (expected) matches++;
          expect(evaluateFilter(tree, metadata)).toBe(expected);
          expect(evaluateFilter(normalizeFilter(tree), metadata)).toBe(expected);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(matches).toBeGreaterThan(500);
  });

  it('treats values as values', () => {
    fc.assert(
      fc.property(keys, texts, texts, (key, stored, asked) => {
        const metadata = Object.fromEntries([[key, stored]]);
        expect(evaluateFilter(filter.eq(key, asked), metadata)).toBe(stored === asked);
        expect(evaluateFilter(filter.in(key, [asked]), metadata)).toBe(stored === asked);
        expect(evaluateFilter(filter.nin(key, [asked]), metadata)).toBe(stored !== asked);
      }),
    );
  });

  const matching = (expression: FilterExpression | string, rows: Readonly<Record<string, Metadata>>): string[] => {
    const test = compileFilter(typeof expression === 'string' ? parseFilter(expression) : expression);
    return Object.keys(rows).filter((id) => test(rows[id] ?? {}));
  };

  it('never turns numbers and texts into each other', () => {
    const rows: Record<string, Metadata> = {
      n1: { p: 9 },
      n2: { p: 10 },
      n3: { p: '10' },
      n4: { p: 'N/A' },
      n5: { p: null },
      n6: {},
      n7: { p: { v: 10 } },
      n8: { p: [10, 11] },
      n9: { p: 10.0 },
      n10: { p: 2 ** 53 + 2 },
    };
    expect(matching('p > 9', rows)).toEqual(['n2', 'n9', 'n10']);
    // A list matches when one of its elements does.
    expect(matching('p == 10', rows)).toEqual(['n2', 'n8', 'n9']);
    expect(matching("p == '10'", rows)).toEqual(['n3']);
    expect(matching('p in [9,10]', rows)).toEqual(['n1', 'n2', 'n8', 'n9']);
    expect(matching('p <= 9.5', rows)).toEqual(['n1']);
    expect(matching("p > 'A'", rows)).toEqual(['n4']);
    expect(matching('p IS NULL', rows)).toEqual(['n5', 'n6']);
    expect(matching('p == null', rows)).toEqual(['n5', 'n6']);
    expect(matching('p != null', rows)).toEqual(['n1', 'n2', 'n3', 'n4', 'n7', 'n8', 'n9', 'n10']);
    expect(matching('p != 10', rows)).toEqual(['n1', 'n3', 'n4', 'n5', 'n6', 'n7', 'n10']);
    expect(matching('NOT (p > 9)', rows)).toEqual(['n1']);
    expect(matching('NOT (p IN [9, 10])', rows)).toEqual(matching('p NIN [9, 10]', rows));
  });

  it('matches nothing in an empty list and everything outside of one', () => {
    const rows: Record<string, Metadata> = { d1: { tenant: 'acme' }, d2: { tenant: 'evil' }, d3: {} };
    expect(matching('tenant in []', rows)).toEqual([]);
    expect(matching('tenant nin []', rows)).toEqual(['d1', 'd2', 'd3']);
    expect(matching("tenant == 'acme' && tenant in []", rows)).toEqual([]);
    expect(matching('not (tenant in [])', rows)).toEqual(['d1', 'd2', 'd3']);
  });

  it('reaches into objects by dots; a key that holds the dot wins', () => {
    const rows: Record<string, Metadata> = {
      k1: { a: { b: 1 } },
      k2: { 'a.b': 1 },
      k3: { a: { b: { c: 1 } } },
      k4: { a: [{ b: 1 }] },
      k5: { 'a.b': 2, a: { b: 1 } },
      k6: { 'a.b': null, a: { b: 1 } },
    };
    expect(matching('a.b == 1', rows)).toEqual(['k1', 'k2']);
    expect(matching('a.b.c == 1', rows)).toEqual(['k3']);
    expect(matching('a.b == 2', rows)).toEqual(['k5']);
    expect(matching('a.b IS NULL', rows)).toEqual(['k4', 'k6']);
  });

  it('orders texts by code point', () => {
    expect(evaluateFilter(filter.lt('s', 'a'), { s: 'Z' })).toBe(true);
    expect(evaluateFilter(filter.gt('s', 'z'), { s: 'é' })).toBe(true);
    // U+FF21 is one UTF-16 unit, the emoji two smaller ones.
    expect(evaluateFilter(filter.gt('s', '\uff21'), { s: '😀' })).toBe(true);
    expect(evaluateFilter(filter.gt('s', 'a\uffff'), { s: 'a😀' })).toBe(true);
  });

  it('does not take what every object has for metadata', () => {
    for (const key of [
      'constructor',
      'toString',
      '__proto__',
      'hasOwnProperty',
      'constructor.name',
      '__proto__.toString',
    ]) {
      expect(evaluateFilter(filter.isNull(key), {})).toBe(true);
      expect(evaluateFilter(filter.isNotNull(key), {})).toBe(false);
    }
    const own: Metadata = JSON.parse('{"__proto__": "x", "constructor": 1}');
    expect(evaluateFilter(filter.eq('__proto__', 'x'), own)).toBe(true);
    expect(evaluateFilter(filter.eq('constructor', 1), own)).toBe(true);
  });

  it('evaluates chains that are longer than the stack is deep', () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => filter.eq('id', i));
    const [first, second, ...more] = ids;
    const chain = filter.or(first ?? filter.isNull('id'), second ?? filter.isNull('id'), ...more);
    expect(evaluateFilter(chain, { id: 19_999 })).toBe(true);
    expect(evaluateFilter(filter.not(chain), { id: 19_999 })).toBe(false);
    expect(evaluateFilter(chain, { id: -1 })).toBe(false);
  });
});

describe('normalizeFilter', () => {
  it('leaves no NOT, no group and no null', () => {
    fc.assert(fc.property(filters, (tree) => isNormal(normalizeFilter(tree))));
  });

  it('pushes NOT down', () => {
    const a = filter.eq('a', 1);
    const b = filter.gt('b', 2);
    expect(normalizeFilter(filter.not(filter.not(a)))).toEqual(a);
    expect(normalizeFilter(filter.not({ group: filter.and(a, filter.not(b)) }))).toEqual(
      filter.or(filter.ne('a', 1), b),
    );
    expect(normalizeFilter(filter.not(filter.or(a, b)))).toEqual(filter.and(filter.ne('a', 1), filter.lte('b', 2)));
    expect(normalizeFilter(filter.not(filter.isNull('a')))).toEqual(filter.isNotNull('a'));
    expect(normalizeFilter(filter.not(filter.eq('a', null)))).toEqual(filter.isNotNull('a'));
    expect(normalizeFilter(filter.ne('a', null))).toEqual(filter.isNotNull('a'));
    expect(normalizeFilter(filter.not(filter.in('a', [])))).toEqual(filter.nin('a', []));
    expect(normalizeFilter(filter.not(filter.gte('a', 1)))).toEqual(filter.lt('a', 1));
  });

  it('refuses what is no filter', () => {
    expect(() => normalizeFilter(JSON.parse('{}'))).toThrow(/\$\.type/);
  });
});

describe('validateFilter', () => {
  it('gives an equal, frozen copy of every well-formed tree', () => {
    fc.assert(
      fc.property(filters, (tree) => {
        const copy = validateFilter(JSON.parse(JSON.stringify(tree)));
        expect(JSON.parse(JSON.stringify(copy))).toEqual(JSON.parse(JSON.stringify(tree)));
        expect(Object.isFrozen(copy)).toBe(true);
      }),
    );
  });

  const cyclic: Record<string, unknown> = { type: 'NOT' };
  cyclic['left'] = cyclic;
  const chain: Record<string, unknown> = { type: 'AND', right: filter.eq('a', 1) };
  chain['left'] = chain;

  it.each<[string, unknown, string]>([
    ['nothing', undefined, '$'],
    ['null', null, '$'],
    ['text', "a == 'b'", '$'],
    ['a list', [filter.eq('a', 1)], '$'],
    ['an empty object', {}, '$.type'],
    ['an unknown operator', { type: 'LIKE', left: { key: 'a' }, right: { value: 'b%' } }, '$.type'],
    ['an operator in small letters', { type: 'eq', left: { key: 'a' }, right: { value: 1 } }, '$.type'],
    ['AND without right', { type: 'AND', left: filter.eq('a', 1) }, '$.right'],
    ['OR of text', { type: 'OR', left: 'a', right: 'b' }, '$.left'],
    ['a key that is none', { type: 'EQ', left: { value: 1 }, right: { value: 1 } }, '$.left.key'],
    ['a numeric key', { type: 'EQ', left: { key: 1 }, right: { value: 1 } }, '$.left.key'],
    ['two keys', { type: 'EQ', left: { key: 'a' }, right: { key: 'b' } }, '$.right'],
    ['an object as value', { type: 'EQ', left: { key: 'a' }, right: { value: { $ne: null } } }, '$.right.value'],
    ['a list as value', { type: 'EQ', left: { key: 'a' }, right: { value: [1] } }, '$.right.value'],
    ['NaN', { type: 'EQ', left: { key: 'a' }, right: { value: Number.NaN } }, '$.right.value'],
    ['a bigint', { type: 'EQ', left: { key: 'a' }, right: { value: 1n } }, '$.right.value'],
    ['an order of null', { type: 'GT', left: { key: 'a' }, right: { value: null } }, '$.right.value'],
    ['an order of booleans', { type: 'LTE', left: { key: 'a' }, right: { value: false } }, '$.right.value'],
    ['IN of text', { type: 'IN', left: { key: 'a' }, right: { value: 'abc' } }, '$.right.value'],
    ['null in a list', { type: 'IN', left: { key: 'a' }, right: { value: [1, 2, null] } }, '$.right.value[2]'],
    ['a hole in a list', { type: 'NIN', left: { key: 'a' }, right: { value: new Array(1) } }, '$.right.value[0]'],
    ['NOT with right', { type: 'NOT', left: filter.eq('a', 1), right: filter.eq('b', 1) }, '$.right'],
    ['an empty group', { group: {} }, '$.group.type'],
    [
      'a fault further down',
      filter.and(filter.eq('a', 1), { group: JSON.parse('{"type":"X"}') }),
      '$.right.group.type',
    ],
  ])('refuses %s and names the path', (_name, value, path) => {
    expect(() => validateFilter(value)).toThrow(expect.objectContaining({ code: 'filter_invalid', subject: path }));
  });

  it('refuses trees without end', () => {
    expect(() => validateFilter(cyclic)).toThrow(expect.objectContaining({ code: 'filter_invalid' }));
    expect(() => validateFilter(chain)).toThrow(expect.objectContaining({ code: 'filter_invalid' }));
  });
});

describe('the builder', () => {
  it('turns dates into text and freezes', () => {
    const tree = filter.gte('at', new Date('2026-01-02T00:00:00Z'));
    expect(tree).toEqual({ type: 'GTE', left: { key: 'at' }, right: { value: '2026-01-02T00:00:00.000Z' } });
    expect(Object.isFrozen(tree)).toBe(true);
  });

  it('does not keep the list that it was given', () => {
    const list = ['a'];
    const tree = filter.in('tag', list);
    list.push('b');
    expect(tree).toEqual({ type: 'IN', left: { key: 'tag' }, right: { value: ['a'] } });
  });

  it('chains from the left', () => {
    const [a, b, c] = [filter.eq('a', 1), filter.eq('b', 1), filter.eq('c', 1)] as const;
    expect(filter.and(a, b, c)).toEqual({ type: 'AND', left: { type: 'AND', left: a, right: b }, right: c });
    expect(filter.or(filter.group(a), b)).toEqual({ type: 'OR', left: { group: a }, right: b });
  });

  it('refuses what no filter holds', () => {
    expect(() => filter.eq('a', new Date(Number.NaN))).toThrow(/date/);
    expect(() => filter.eq('a', Number.POSITIVE_INFINITY)).toThrow(/infinities/);
    expect(() => filter.gt('a', true)).toThrow(/no order/);
    expect(() => filter.lt('a', null)).toThrow(/no order/);
    expect(() => filter.in('a', [null])).toThrow(/null/);
    expect(() => Reflect.apply(filter.and, filter, [filter.eq('a', 1)])).toThrow(/two/);
    expect(() => Reflect.apply(filter.eq, filter, ['a', ['b']])).toThrow(/list/);
  });
});
