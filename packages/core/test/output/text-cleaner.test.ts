import { defaultCleaners } from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const clean = (text: string, cleaners = defaultCleaners): string => cleaners.reduce((t, cleaner) => cleaner(t), text);
const read = (text: string): unknown => JSON.parse(clean(text));

describe('fences and prose', () => {
  it.each([
    '```json\n{"ok":true,"n":1}\n```',
    'Here is {the} result:\n\n```json\r\n{"ok":true,"n":1}\r\n```\r\nHope this helps!',
    '```\n{"ok":true,"n":1}\n```',
    '~~~json\n{"ok":true,"n":1}\n~~~',
    'Sure. {"ok":true,"n":1} Anything else?',
    '  \n{"ok":true,"n":1}\n  ',
    '```json {"ok":true,"n":1}```',
    '\uFEFF{"ok":true,"n":1}',
    '````json\n{"ok":true,"n":1}\n````',
    '```json\n{"ok":true,"n":1}',
    'As [1] says, {"ok":true,"n":1}.',
    'First ```x = {y}``` and then\n```js\nf({ a })\n```\n{"ok":true,"n":1}',
    'The shape is {"ok": ..., "n": ...}, so: {"ok":true,"n":1}',
    'The shape:\n```json\n{"ok": ...}\n```\nThe answer:\n```json\n{"ok":true,"n":1}\n```',
    '`{"ok":true,"n":1}`',
  ])('takes the JSON out of %j', (text) => {
    expect(read(text)).toEqual({ ok: true, n: 1 });
  });

  it.each([
    ['```json\n[{"name":"a"},{"name":"b"}]\n```', [{ name: 'a' }, { name: 'b' }]],
    ['"red"', 'red'],
    ['```\n"red"\n```', 'red'],
    ['```\n4.5\n```', 4.5],
    ['```true```', true],
  ])('keeps the type of %j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it('gives a fenced text that is not JSON without its fence', () => {
    expect(clean('Here:\n```text\nred, green\n```')).toBe('red, green');
  });
});

describe('what is inside strings', () => {
  it.each([
    ['{"md":"```js\\nif (a) { b() }\\n```\\nend"}', '```js\nif (a) { b() }\n```\nend'],
    ['```json\n{"md":"use ``` and } and ] and <think>x</think>"}\n```', 'use ``` and } and ] and <think>x</think>'],
    ['{"md":"a, ] b, } c"}', 'a, ] b, } c'],
    ['<think>hm</think>{"md":"<think>kept</think>"}', '<think>kept</think>'],
    ['Look: {"md":"say \\"{\\" and “quoted”, ]",}', 'say "{" and “quoted”, ]'],
    ['{"md":"x\\\\"}', 'x\\'],
    ['{"md":"</think> {\\"md\\":1}"}', '</think> {"md":1}'],
  ])('stays in %j', (text, md) => {
    expect(read(text)).toEqual({ md });
  });

  it('stays in a string at the top', () => {
    const text = '<think>a</think> and ```b``` and {"c": [1,]}';
    expect(read(JSON.stringify(text))).toBe(text);
    expect(read(`<think>which?</think>\n${JSON.stringify(text)}`)).toBe(text);
  });

  it('leaves every JSON text as it is, whatever its strings hold', () => {
    const piece = fc.constantFrom(
      '```',
      '\n```json\n',
      '~~~',
      '<think>',
      '</think>',
      '{',
      '}',
      '[',
      ']',
      ',]',
      ',}',
      '"',
      '\\',
      '“',
      '”',
      'a',
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.string(),
    );
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(
        value,
        fc.constantFrom('', '\n', '<think>well, {"a": ...}</think>\n'),
        fc.boolean(),
        (given, before, pretty) => {
          expect(read(before + JSON.stringify(given, undefined, pretty ? 2 : 0))).toEqual(
            JSON.parse(JSON.stringify(given)),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('and outside of them is told apart in a fence as well', () => {
    const text = fc.array(fc.constantFrom('```', '\n', '~~~', '{', '}', ']', '"', '\\', ',', 'a'), { maxLength: 10 });
    fc.assert(
      fc.property(
        text.map((pieces) => pieces.join('')),
        (md) => {
          expect(read(`Here:\n\`\`\`json\n${JSON.stringify({ md }, undefined, 2)}\n\`\`\`\nDone {see above}.`)).toEqual(
            { md },
          );
        },
      ),
    );
  });
});

describe('thoughts', () => {
  it.each([
    '<think>maybe {"a":1}?</think>{"a":2}',
    '<THINK>\nmaybe\n</THINK>\n\n{"a":2}',
    '<thinking>x</thinking><reasoning effort="low">y</reasoning> {"a":2}',
    'Sure. <think>x</think> {"a":2}',
    'I should write {"a": ...} here.\n</think>\n{"a":2}',
    'I write {"a": foo and never close it </think>{"a":2}',
    '<think>never closed, {"a":1} was wrong, so: {"a":2}',
    '<think>never closed\n```json\n{"a":2}\n```',
    '{"a":2}</think>',
    '{"a":2}\n<think>that was easy',
    '```thinking\nhm\n```\n{"a":2}',
    '<!-- thinking: hm -->{"a":2}',
  ])('are taken out of %j', (text) => {
    expect(read(text)).toEqual({ a: 2 });
  });

  it('that never end and hold no answer leave nothing', () => {
    expect(clean('<think>perhaps {"a":1} or something else')).toBe('');
  });
});

describe('mending', () => {
  it.each([
    ['{"xs":["a","b",],"s":"k",}', { xs: ['a', 'b'], s: 'k' }],
    ['{"xs":[],"s":"keep ,} and ,] here",}', { xs: [], s: 'keep ,} and ,] here' }],
    ['[1, [2 ,\n], ]', [1, [2]]],
    ['{“a”: “x”, “b”: [“y”]}', { a: 'x', b: ['y'] }],
    ['{“a”: “say "hi" and \\"ho\\"”}', { a: 'say "hi" and "ho"' }],
    ['{"a": „tief“, "b": 1}', { a: 'tief', b: 1 }],
    ['Sure: {“a”: “it’s”,}', { a: 'it’s' }],
  ])('%j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each(['[1,,2]', '{,}', '[,]', '{"a":,}', '{"a":1,,}', '{"a" 1}'])('does not make %j valid', (text) => {
    expect(() => read(text)).toThrow(SyntaxError);
  });

  it('is left out when the last two cleaners are', () => {
    expect(() => JSON.parse(clean('{"a":1,}', defaultCleaners.slice(0, 4)))).toThrow(SyntaxError);
  });
});

describe('a part is never taken for the whole', () => {
  it.each(['{"list":[1,2],"f":@}', '{"a":[1,2],"b":', '[{"a":1},{"b":', 'Here: {"a":{"b":1},"c": oops} [1]'])(
    'in %j',
    (text) => {
      expect(() => read(text)).toThrow(SyntaxError);
    },
  );
});

it('stays linear on hostile text', () => {
  const n = 60_000;
  for (const piece of [
    '{',
    '[',
    '[[',
    '{"',
    '{“',
    '[“',
    '{"a":',
    '{"a":x',
    '[1,',
    '["[",',
    '<think>',
    '</think>',
    '```\n',
    '~~~x\n',
    '",',
    '“",',
  ]) {
    const start = performance.now();
    clean(piece.repeat(n / piece.length));
    clean(`${piece.repeat(n / piece.length)}”,`);
    expect(performance.now() - start, piece).toBeLessThan(5_000);
  }
});
