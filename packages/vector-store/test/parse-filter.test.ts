import { VernalError } from '@vernal/core';
import { FilterParseError, filter, parseFilter } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';

const eq = (key: string, value: string | number | boolean | null) => ({ type: 'EQ', left: { key }, right: { value } });

function fault(text: string, options?: Parameters<typeof parseFilter>[1]): FilterParseError {
  try {
    parseFilter(text, options);
  } catch (error) {
    if (FilterParseError.is(error)) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

describe('parseFilter', () => {
  it('reads every comparison', () => {
    expect(parseFilter("country == 'BG'")).toEqual(eq('country', 'BG'));
    for (const [symbol, type] of Object.entries({
      '==': 'EQ',
      '!=': 'NE',
      '>': 'GT',
      '>=': 'GTE',
      '<': 'LT',
      '<=': 'LTE',
    })) {
      expect(parseFilter(`year ${symbol} 2020`)).toEqual({ type, left: { key: 'year' }, right: { value: 2020 } });
      expect(parseFilter(`year${symbol}2020`)).toEqual(parseFilter(`year ${symbol} 2020`));
    }
  });

  it('reads lists, empty and mixed, and both ways of not in', () => {
    expect(parseFilter("tag IN ['a', 1, true]")).toEqual({
      type: 'IN',
      left: { key: 'tag' },
      right: { value: ['a', 1, true] },
    });
    expect(parseFilter('tag IN []')).toEqual({ type: 'IN', left: { key: 'tag' }, right: { value: [] } });
    expect(parseFilter("tag NOT IN ['a']")).toEqual(parseFilter("tag NIN ['a']"));
    expect(parseFilter("tag NIN ['a']")).toMatchObject({ type: 'NIN' });
  });

  it('reads null tests and the null literal', () => {
    expect(parseFilter('tag IS NULL')).toEqual({ type: 'ISNULL', left: { key: 'tag' } });
    expect(parseFilter('tag IS NOT NULL')).toEqual({ type: 'ISNOTNULL', left: { key: 'tag' } });
    expect(parseFilter('tag == null')).toEqual(eq('tag', null));
    expect(parseFilter('tag != NULL')).toMatchObject({ type: 'NE', right: { value: null } });
  });

  it('takes keywords in any case and both spellings', () => {
    const expected = parseFilter('NOT a == 1 AND b IN [2] OR c IS NULL');
    expect(parseFilter('Not a == 1 aNd b iN [2] oR c iS nUlL')).toEqual(expected);
    expect(parseFilter('not a == 1 && b in [2] || c is null')).toEqual(expected);
    expect(parseFilter('a == TRUE OR a == False')).toEqual({ type: 'OR', left: eq('a', true), right: eq('a', false) });
  });

  it('binds NOT before AND before OR, from the left', () => {
    expect(parseFilter('NOT a == 1 AND b == 2 OR c == 3')).toEqual({
      type: 'OR',
      left: { type: 'AND', left: { type: 'NOT', left: eq('a', 1) }, right: eq('b', 2) },
      right: eq('c', 3),
    });
    expect(parseFilter('a == 1 OR b == 2 AND c == 3')).toEqual({
      type: 'OR',
      left: eq('a', 1),
      right: { type: 'AND', left: eq('b', 2), right: eq('c', 3) },
    });
    expect(parseFilter('a == 1 AND b == 2 AND c == 3')).toEqual({
      type: 'AND',
      left: { type: 'AND', left: eq('a', 1), right: eq('b', 2) },
      right: eq('c', 3),
    });
  });

  it('reads NOT as the loosest operator when asked to', () => {
    const legacyPrecedence = true;
    expect(parseFilter('NOT a == 1 AND b == 2', { legacyPrecedence })).toEqual({
      type: 'NOT',
      left: { type: 'AND', left: eq('a', 1), right: eq('b', 2) },
    });
    expect(parseFilter('a == 1 AND NOT b == 2 OR c == 3', { legacyPrecedence })).toEqual({
      type: 'AND',
      left: eq('a', 1),
      right: { type: 'NOT', left: { type: 'OR', left: eq('b', 2), right: eq('c', 3) } },
    });
    expect(parseFilter('NOT (a == 1) AND b == 2', { legacyPrecedence })).toEqual({
      type: 'NOT',
      left: { type: 'AND', left: { group: eq('a', 1) }, right: eq('b', 2) },
    });
    expect(parseFilter('(a == 1 OR b == 2) AND c == 3', { legacyPrecedence })).toEqual(
      parseFilter('(a == 1 OR b == 2) AND c == 3'),
    );
  });

  it('keeps groups, drops those around the whole and doubled ones', () => {
    expect(parseFilter('((a == 1))')).toEqual(eq('a', 1));
    expect(parseFilter('((a == 1 OR b == 2)) AND c == 3')).toEqual({
      type: 'AND',
      left: { group: { type: 'OR', left: eq('a', 1), right: eq('b', 2) } },
      right: eq('c', 3),
    });
    expect(parseFilter('NOT (a == 1)')).toEqual({ type: 'NOT', left: { group: eq('a', 1) } });
  });

  it('takes names of any script, many dots, and anything in quotes as a key', () => {
    for (const key of ['a.b.c.d', '_x1', 'größe', '名前.姓', 'whereabouts', 'L', 'in.not', 'заголовок']) {
      expect(parseFilter(`${key} == 1`)).toEqual(eq(key, 1));
    }
    expect(parseFilter("'a b' == 1")).toEqual(eq('a b', 1));
    expect(parseFilter('"x-y" == 1')).toEqual(eq('x-y', 1));
    expect(parseFilter('"" == 1')).toEqual(eq('', 1));
    expect(parseFilter("'in' == 1")).toEqual(eq('in', 1));
  });

  it('reads numbers exactly or not at all', () => {
    const value = (text: string): unknown => {
      const tree = parseFilter(`a == ${text}`);
      return tree.type === 'EQ' ? tree.right.value : undefined;
    };
    expect(value('007')).toBe(7);
    expect(value('-5')).toBe(-5);
    expect(value('+ 5')).toBe(5);
    expect(value('5L')).toBe(5);
    expect(value('1.5')).toBe(1.5);
    expect(value('.5')).toBe(0.5);
    expect(value('1.')).toBe(1);
    expect(value('1e3')).toBe(1000);
    expect(value('-1.5E-3')).toBe(-0.0015);
    expect(value('-0')).toBe(0);
    expect(value('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    expect(value('-9007199254740991')).toBe(Number.MIN_SAFE_INTEGER);
    expect(value('9.007199254740994e15')).toBe(9_007_199_254_740_994);
    expect(fault('a == 9007199254740993')).toMatchObject({ line: 1, column: 6 });
    expect(fault('a == 9007199254740993').message).toMatch(/2\^53/);
    expect(fault('a IN [1,\n 9223372036854775807L]')).toMatchObject({ line: 2, column: 2 });
    expect(fault('a == 1e999')).toMatchObject({ line: 1, column: 6 });
  });

  it('undoes escapes in both kinds of quotes', () => {
    expect(parseFilter(String.raw`a == 'it\'s "so"'`)).toEqual(eq('a', 'it\'s "so"'));
    expect(parseFilter(String.raw`a == "say \"hi\" it's"`)).toEqual(eq('a', 'say "hi" it\'s'));
    expect(parseFilter(String.raw`a == '\\ \/ \b\f\n\r\t A 😀'`)).toEqual(eq('a', '\\ / \b\f\n\r\t A 😀'));
    expect(parseFilter("a == 'two\nlines'")).toEqual(eq('a', 'two\nlines'));
    expect(parseFilter("a == ''")).toEqual(eq('a', ''));
    expect(parseFilter(String.raw`'a\'b' == 1`)).toEqual(eq("a'b", 1));
    expect(fault(String.raw`a == 'C:\dir'`)).toMatchObject({ line: 1, column: 9 });
    expect(fault(String.raw`a == '\u12'`)).toMatchObject({ line: 1, column: 7 });
    expect(fault("a == 'x\n😀\\q'")).toMatchObject({ line: 2, column: 2 });
  });

  it.each([
    // What Spring AI drops without a word.
    ['a$ == 1', 1, 2],
    ['`a` == 1', 1, 1],
    ['a == $5', 1, 6],
    ['a === 1', 1, 5],
    ['a == 1 ;', 1, 8],
    ['a > = 1', 1, 5],
    ["a == 1 'open", 1, 8],
    ["a == 'open", 1, 6],
    ['a == "open\\', 1, 6],
    ['a = 1', 1, 3],
    ['a <> 1', 1, 4],
    ['!a == 1', 1, 1],
    ['a & b', 1, 3],
    ['a == 1 | b == 2', 1, 8],
    ['a == {}', 1, 6],
    ['a == 1 # x', 1, 8],
    // Letters only look-alike.
    ['a == ’x’', 1, 6],
    ['ab😀c == 1', 1, 3],
    ['😀 == 1', 1, 1],
    ['a.1 == 1', 1, 2],
    ['a..b == 1', 1, 2],
    ['\u{100000} == 1', 1, 1],
    ['a == \u{100000}', 1, 6],
    ['a == \u0000', 1, 6],
    ['a\u00a0== 1', 1, 2],
    // Well-formed tokens in the wrong place.
    ['a-b == 1', 1, 2],
    ['a ==', 1, 5],
    ['a', 1, 2],
    ['== 1', 1, 1],
    ['a == b', 1, 6],
    ['a == 1 b == 2', 1, 8],
    ['a == 12abc', 1, 8],
    ['a == 1.5.2', 1, 9],
    ['a == 1 AND', 1, 11],
    ['AND a == 1', 1, 1],
    ['(a == 1', 1, 8],
    ['a == 1)', 1, 7],
    ['()', 1, 2],
    ['a IN 1', 1, 6],
    ['a IN (1)', 1, 6],
    ['a IN [1,]', 1, 9],
    ['a IN [,]', 1, 7],
    ['a IN [[1]]', 1, 7],
    ['a NOT == 1', 1, 7],
    ['a IS 1', 1, 6],
    ['a IS NOT 1', 1, 10],
    ['in == 1', 1, 1],
    ['null == 1', 1, 1],
    ["a LIKE 'b'", 1, 3],
    ['a BETWEEN 1 AND 2', 1, 3],
    ['1 == a', 1, 1],
    ["a == 'O''Brien'", 1, 9],
    ['a == 1\nAND b = 2', 2, 7],
    ['a == 1 AND\r\n\tb ! 2', 2, 4],
    // Right in form, wrong in meaning.
    ['a > null', 1, 5],
    ['a <= true', 1, 6],
    ['a IN [1, null]', 1, 10],
    ['', 1, 1],
    [' \n ', 1, 1],
  ])('refuses %j at line %i, column %i', (text, line, column) => {
    expect(fault(text)).toMatchObject({ code: 'filter_parse', subject: 'filter', line, column });
    expect(VernalError.is(fault(text))).toBe(true);
  });

  it('says what is expected and never quotes values', () => {
    expect(fault('a = 1').message).toContain("'=='");
    expect(fault('a ==').message).toContain('ends too early');
    expect(fault("a IN ['x'").message).toContain("expected ']', a comma");
    expect(fault("a == 1 'secret'").message).not.toContain('secret');
    expect(fault('a == secret').message).not.toContain('secret');
    expect(fault('a == secret').message).toContain('quotes');
    expect(fault('a == 1 b == 2').message).toMatch(/AND.*OR/);
  });

  it('holds limits of depth and length', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}a == 1${')'.repeat(depth)}`;
    expect(parseFilter(nested(100))).toEqual(eq('a', 1));
    expect(fault(nested(101))).toMatchObject({ line: 1, column: 101 });
    expect(fault(`${'NOT '.repeat(101)}a == 1`)).toMatchObject({ line: 1, column: 401 });
    expect(fault(`${'NOT ('.repeat(60)}a == 1${')'.repeat(60)}`).message).toContain('100 levels');
    expect(parseFilter(nested(200), { maxDepth: 200 })).toEqual(eq('a', 1));
    expect(fault(nested(3), { maxDepth: 2 })).toMatchObject({ column: 3 });
    expect(fault(nested(30_000)).message).toContain('100 levels');
    expect(fault('a == 1', { maxLength: 5 }).message).toContain('5 characters');
    expect(fault(`a == '${'x'.repeat(65_536)}'`).message).toContain('65536');
    expect(() => parseFilter('a == 1', { maxDepth: 0 })).toThrow(/maxDepth/);
    expect(fault('NOT a == 1 AND NOT b == 1 AND NOT c == 1', { legacyPrecedence: true, maxDepth: 2 })).toMatchObject({
      column: 31,
    });
    expect(parseFilter('NOT a == 1 AND NOT b == 1 AND NOT c == 1', { maxDepth: 1 }).type).toBe('AND');
  });

  it('reads chains of any length without going deep', () => {
    const chain = Array.from({ length: 5_000 }, (_, i) => `a == ${i}`).join(' OR ');
    let tree: unknown = parseFilter(chain);
    let links = 0;
    while (typeof tree === 'object' && tree !== null && 'type' in tree && tree.type === 'OR' && 'left' in tree) {
      tree = tree.left;
      links++;
    }
    expect(links).toBe(4_999);
  });

  it('gives frozen trees and remembers them', () => {
    const tree = parseFilter("cached == 'x' AND tag IN ['a'] AND NOT (b == 1)");
    expect(parseFilter("cached == 'x' AND tag IN ['a'] AND NOT (b == 1)")).toBe(tree);
    const frozen = (node: unknown): boolean =>
      typeof node !== 'object' || node === null || (Object.isFrozen(node) && Object.values(node).every(frozen));
    expect(frozen(tree)).toBe(true);
  });

  it('forgets: old texts are read anew', () => {
    const first = parseFilter('bounded == 0');
    for (let i = 1; i < 300; i++) parseFilter(`bounded == ${i}`);
    expect(parseFilter('bounded == 0')).not.toBe(first);
    expect(parseFilter('bounded == 0')).toEqual(first);
  });

  it('does not mix up the two precedences in its memory', () => {
    const text = 'NOT mixed == 1 AND b == 2';
    expect(parseFilter(text, { legacyPrecedence: true }).type).toBe('NOT');
    expect(parseFilter(text).type).toBe('AND');
    expect(parseFilter(text, { legacyPrecedence: true }).type).toBe('NOT');
  });
});

describe('the tagged template', () => {
  it('takes interpolations as values and lists', () => {
    const since = new Date('2026-01-02T03:04:05.678Z');
    expect(filter`tenant == ${'acme'} && since < ${since} AND tag IN ${['a', 'b']} AND n NIN [${1}, ${2}]`).toEqual(
      filter.and(
        filter.eq('tenant', 'acme'),
        filter.lt('since', '2026-01-02T03:04:05.678Z'),
        filter.in('tag', ['a', 'b']),
        filter.nin('n', [1, 2]),
      ),
    );
    expect(filter`a == ${null} OR b IN ${[]}`).toEqual(filter.or(filter.eq('a', null), filter.in('b', [])));
  });

  it.each(["x' OR '1'='1", '\u{100001}', '\\', '"', 'x" || tenant == "evil', '\u0000'])('keeps %j a value', (value) => {
    expect(filter`a == ${value} AND b == ${'second'}`).toEqual(
      filter.and(filter.eq('a', value), filter.eq('b', 'second')),
    );
  });

  it('refuses interpolations that are not values', () => {
    expect(() => filter`${'a'} == 1`).toThrow(FilterParseError);
    expect(() => filter`a == '${'x'}'`).toThrow(/quotes/);
    expect(() => filter`a == ${'x'} ${'y'}`).toThrow(FilterParseError);
    expect(() => filter`a == ${['x']}`).toThrow(/write IN/);
    expect(() => filter`a IN ${'x'}`).toThrow(/list/);
    expect(() => filter`a > ${true}`).toThrow(/no order/);
    expect(() => filter`a == ${Number.NaN}`).toThrow(/NaN/);
    expect(() => filter`a == '\u{100000}' AND b == ${1}`).toThrow(/private-use/);
    expect(() => filter``).toThrow(/blank/);
  });
});
