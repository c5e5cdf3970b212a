import { parsePartialJson } from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** True when `later` holds everything that `earlier` does: members and characters were added, nothing changed. */
function grew(earlier: unknown, later: unknown): boolean {
  if (earlier === undefined) return true;
  if (typeof earlier === 'string') return typeof later === 'string' && later.startsWith(earlier);
  if (typeof earlier !== 'object' || earlier === null) return Object.is(earlier, later);
  if (typeof later !== 'object' || later === null || Array.isArray(earlier) !== Array.isArray(later)) return false;
  return Object.keys(earlier).every(
    (key) => Object.hasOwn(later, key) && grew(Reflect.get(earlier, key), Reflect.get(later, key)),
  );
}

const json = fc.record({ value: fc.jsonValue(), space: fc.constantFrom(0, 1, '\t') });

describe('on JSON', () => {
  it('only ever grows, up to what JSON.parse gives', () => {
    fc.assert(
      fc.property(json, ({ value, space }) => {
        const text = JSON.stringify(value, undefined, space);
        let last: unknown;
        for (let end = 0; end <= text.length; end++) {
          const partial = parsePartialJson(text.slice(0, end));
          if (!grew(last, partial)) throw new Error(`shrank at ${end} of ${text}`);
          last = partial;
        }
        // A number alone might go on, so it needs something behind it.
        expect(parsePartialJson(`${text}\n`)).toEqual(JSON.parse(text));
        if (typeof value !== 'number') expect(last).toEqual(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps any key, __proto__ too, and the last of equal keys', () => {
    expect(parsePartialJson('{"__proto__":{"a":1},"x":1,"x":2}')).toEqual(JSON.parse('{"__proto__":{"a":1},"x":2}'));
    expect(Object.getPrototypeOf(parsePartialJson('{"__proto__":{"a":1}'))).toBe(Object.prototype);
  });

  it.each([
    ['', undefined],
    ['  ', undefined],
    ['{', {}],
    ['{"ti', {}],
    ['{"title"', {}],
    ['{"title":', {}],
    ['{"title":"', { title: '' }],
    ['{"title":"Vol', { title: 'Vol' }],
    ['{"year":199', {}],
    ['{"year":1999,', { year: 1999 }],
    ['[1,2', [1]],
    ['[-', []],
    ['[1.', []],
    ['[1e', []],
    ['[tru', []],
    ['[true', [true]],
    ['[{"a":[', [{ a: [] }]],
    ['["a\\', ['a']],
    ['["a\\u00', ['a']],
    ['["a\\u00e9', ['aé']],
    ['["\\ud83d', ['']],
    ['["\\ud83d\\ude4', ['']],
    ['["\\ud83d\\ude42', ['🙂']],
    ['["\\ud83dx', ['\ud83dx']],
    [`["${'🙂'[0]}`, ['']],
    ['4.5', undefined],
    ['4.5 ', 4.5],
    ['"re', 're'],
  ])('%j', (text, value) => {
    expect(parsePartialJson(text)).toEqual(value);
  });
});

describe('on what models write around it', () => {
  it.each([
    ['<think>maybe {"a":1}', undefined],
    ['<think>maybe {"a":1}</think>\n{"a":2', {}],
    ['<think>a</think><reasoning>b</reasoning>{"a":2}', { a: 2 }],
    ['Sure. <think>{"a":1}</think> {"a":2}', { a: 2 }],
    ['Sure. <think>{"a":1', undefined],
    ['<b>Sure</b> <think a="b">{"a":1}</THINK > {"a":2}', { a: 2 }],
    ['if a < b {"a":2}', { a: 2 }],
    ['``{"a":2}``', { a: 2 }],
    ['```json\n<think>{"a":1}</think>{"a":2}', { a: 2 }],
    ['```json\n{"a":"b', { a: 'b' }],
    ['```json\n{"a":"b"}\n```\nDone', { a: 'b' }],
    ['Here is {the} result: {"a":"b', { a: 'b' }],
    ['Here is', undefined],
    ['{"a":1} and {"b":2}', { a: 1 }],
    ['{"a":[1,],"b":2,}', { a: [1], b: 2 }],
    ['{"a":"x\ny', { a: 'x\ny' }],
    ['{"a":1,"b":oops,"c":3}', { a: 1 }],
    ['[1,,2]', [1]],
    ['["\\x"]', ['']],
    ['[01]', []],
    ['{"a" 1}', {}],
  ])('%j', (text, value) => {
    expect(parsePartialJson(text)).toEqual(value);
  });

  it('never throws', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'u00',
      '1',
      '-',
      '.',
      'e',
      'true',
      'nul',
      '<think>',
      '</think>',
      '```',
      ' ',
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => void parsePartialJson(pieces.join(''))));
  });
});

it('is linear, and deep nesting is no problem', () => {
  const depth = 200_000;
  const start = performance.now();
  expect(Array.isArray(parsePartialJson('['.repeat(depth)))).toBe(true);
  const text = `["${'a\\n'.repeat(300_000)}`;
  expect(parsePartialJson(text)).toEqual(['a\n'.repeat(300_000)]);
  expect(performance.now() - start).toBeLessThan(5_000);
});
