import { bytesResource, defaultRenderer, noopRenderer, TemplateError } from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

const { render, variables } = defaultRenderer();

function failure(run: () => unknown): TemplateError {
  try {
    run();
  } catch (error) {
    if (TemplateError.is(error)) return error;
    throw error;
  }
  throw new Error('did not fail');
}

describe('what is a placeholder', () => {
  it('only a name between braces, so JSON, CSS and code stay', () => {
    const template =
      'Answer like {"a": {"b": [1, 2]}} for {city}. CSS: p { color: red } Code: if (x) { y() } Empty: {} { }';
    expect(render(template, { city: 'Rom' })).toBe(template.replace('{city}', 'Rom'));
    expect(variables?.(template)).toEqual(['city']);
  });

  it.each([
    '{0}',
    '\\d{3}',
    '{ name }',
    '{a b}',
    '{a.}',
    '{.a}',
    '{a..b}',
    '{',
    '}',
    '}{',
    '{-a}',
    '{a',
    '{"k": 1}',
    '{a,b}',
  ])('%j is text, with or without variables', (template) => {
    expect(render(template, {})).toBe(template);
    expect(render(template, { a: 'x', name: 'x', 0: 'x' })).toBe(template);
  });

  it('names are of any script', () => {
    expect(render('{città} {名前} {नाम} {a-b_2}', { città: 1, 名前: 2, नाम: 3, 'a-b_2': 4 })).toBe('1 2 3 4');
  });

  it('braces around a placeholder are text', () => {
    expect(render('{{a}} {"k": {a}}', { a: 1 })).toBe('{1} {"k": 1}');
  });

  it('a path goes into objects and lists; a key that holds the dot wins', () => {
    const given = { topic: { name: 'cows' }, list: [{ id: 7 }], 'a.b': 'dotted', a: { b: 'nested' } };
    expect(render('{topic.name} {list.0.id} {a.b}', given)).toBe('cows 7 dotted');
    expect(variables?.('{a.b}{c}{a.b}{d}')).toEqual(['a.b', 'c', 'd']);
  });

  it('no prototype is ever read', () => {
    const error = failure(() =>
      render('{constructor} {a.constructor.name} {__proto__} {toString} {s.length}', { a: {}, s: 'x' }),
    );
    expect(error.missing).toEqual(['constructor', 'a.constructor.name', '__proto__', 'toString', 's.length']);
    expect(render('{__proto__}', JSON.parse('{"__proto__":"own"}'))).toBe('own');
  });
});

describe('values', () => {
  it.each([
    [{ a: '{b}', b: 'X' }, '[{b}] [X]'],
    [{ a: "$& $1 $$ $` $'", b: '$<n>' }, "[$& $1 $$ $` $'] [$<n>]"],
    [{ a: '{{b}}', b: '{a}' }, '[{{b}}] [{a}]'],
    [{ a: '\\n \\u0041 \\{', b: 'line\r\nbreak' }, '[\\n \\u0041 \\{] [line\r\nbreak]'],
    [{ a: '{a}', b: '{a}' }, '[{a}] [{a}]'],
  ])('%j go in as they are', (given, text) => {
    expect(render('[{a}] [{b}]', given)).toBe(text);
  });

  it('are never rendered again, whatever they are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (a, b, literal) => {
        fc.pre(!/[{}]/.test(literal));
        expect(render(`{a}${literal}{b}{a}`, { a, b })).toBe(a + literal + b + a);
      }),
    );
  });

  it('falsy ones are values, null renders nothing, extra ones are no error', () => {
    const given = { a: 0, b: false, c: '', d: null, e: Number.NaN, f: [1, 'x'], zz: 1 };
    expect(render('{a}|{b}|{c}|{d}|{e}|{f}', given)).toBe('0|false|||NaN|[1,"x"]');
  });

  it('objects are JSON, dates ISO text, bigints their digits', () => {
    const at = new Date(0);
    const given = { at, o: { k: 1, n: 2n, at }, big: 2n ** 64n, m: new Map([['k', 1]]) };
    expect(render('{at} {o} {big} {m}', given)).toBe(
      '1970-01-01T00:00:00.000Z {"k":1,"n":"2","at":"1970-01-01T00:00:00.000Z"} 18446744073709551616 {"k":1}',
    );
  });

  it.each([() => 1, Symbol('s'), new Date(Number.NaN), bytesResource('x')])('without text are refused by name', (a) => {
    expect(failure(() => render('x\n {a}', { a }))).toMatchObject({
      code: 'template',
      subject: 'a',
      line: 2,
      column: 2,
      missing: [],
    });
  });
});

describe('missing variables', () => {
  it('are all named, with the place of the first', () => {
    const error = failure(() => render('{a}\r\nx {e}\n{f.g} {e}', { a: 1, f: {}, e: undefined }));
    expect(error).toMatchObject({ code: 'template', missing: ['e', 'f.g'], subject: 'e', line: 2, column: 3 });
    expect(error.message).toContain('e, f.g');
  });

  it('render nothing when nobody asks', () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn() };
    expect(defaultRenderer({ validation: 'none', logger }).render('[{a}]', {})).toBe('[]');
    expect(logger.warn).not.toHaveBeenCalled();
    expect(defaultRenderer({ validation: 'warn', logger }).render('[{a}] {b}', { b: 'secret' })).toBe('[] secret');
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), { missing: ['a'] });
  });
});

describe('delimiters', () => {
  it.each([
    ['<', '>', '<a> {a} <b'],
    ['#{', '}', '#{a} {a} #a'],
    ['{{', '}}', '{{a}} {a} {{ a }}'],
    ['<<<', '>>', '<<<a>> <<a>>'],
    ['[', ']', '[a] {a} [0]'],
    ['%', '$', '%a$ {a} %'],
    ['(?:', ')*', '(?:a)* {a} (?:'],
  ])('%s %s', (start, end, template) => {
    expect(defaultRenderer({ start, end }).render(template, { a: 'V' })).toBe(
      template.replace(`${start}a${end}`, () => 'V'),
    );
  });

  it.each([
    [{ start: '$', end: '$' }, 'end'],
    [{ start: '' }, 'start'],
    [{ end: ' ' }, 'end'],
    [{ end: 'b' }, 'end'],
    [{ end: '-->' }, 'end'],
  ])('that cannot work are refused: %j', (options, subject) => {
    expect(() => defaultRenderer(options)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
  });
});

it('forgets old templates without changing what they render', () => {
  for (let i = 0; i < 2_000; i++) expect(render(`${i} {a}`, { a: i })).toBe(`${i} ${i}`);
  expect(render('0 {a}', { a: 'again' })).toBe('0 again');
});

it('noopRenderer gives the template back', () => {
  expect(noopRenderer.render('{a} {"b"}', { a: 1 })).toBe('{a} {"b"}');
  expect(noopRenderer.variables?.('{a}')).toEqual([]);
});
