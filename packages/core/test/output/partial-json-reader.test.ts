import { PartialJsonReader, parsePartialJson } from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** JSON as models send it, with and without something around it, and with a fault somewhere. */
const answers = fc
  .tuple(
    fc.json({ maxDepth: 3 }),
    fc.constantFrom(
      '',
      '```json\n',
      '<think>so</think>\n',
      'Sure: ',
      ' \n',
      '<think>',
      '<b>Sure</b>: <think>{"a":[{</think >',
      '``` <reasoning a="b">{"a":1</think></reasoning>',
      'a < b [ { <thinking>x</thinking>',
      '``x',
    ),
    fc.option(
      fc.record({ at: fc.nat(60), by: fc.constantFrom('', ',', '"', '}', '[', '\\', '\\ud83d', 'x', ',]', '\n') }),
    ),
  )
  .map(([json, before, fault]) => {
    const text = before + json;
    if (fault === null) return text;
    const at = fault.at % (text.length + 1);
    return text.slice(0, at) + fault.by + text.slice(at + 1);
  });

function pieces(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, i) => text.slice(from, places[i] ?? text.length));
}

describe('a reader of partial JSON', () => {
  it('says at every piece what the whole text so far says', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        const reader = new PartialJsonReader();
        let sofar = '';
        for (const piece of pieces(text, cuts)) {
          reader.push(piece);
          sofar += piece;
          expect(reader.value).toEqual(parsePartialJson(sofar));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('says the same character by character', () => {
    const text =
      '```json\n{"a":[1,-2.5e3,true,null,"\\u00e9\\ud83d\\ude80 \\"q\\"",{}],"__proto__":{"x":"y"},"b":"z",}';
    const reader = new PartialJsonReader();
    for (let end = 1; end <= text.length; end++) {
      reader.push(text.charAt(end - 1));
      expect(reader.value).toEqual(parsePartialJson(text.slice(0, end)));
    }
    expect(Object.keys(reader.value as object)).toEqual(['a', '__proto__', 'b']);
  });

  it('gives snapshots that later pieces do not change', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        const reader = new PartialJsonReader();
        const seen: { readonly snapshot: unknown; readonly text: string }[] = [];
        for (const piece of pieces(text, cuts)) {
          reader.push(piece);
          seen.push({ snapshot: reader.value, text: JSON.stringify(reader.value) });
        }
        for (const { snapshot, text: then } of seen) expect(JSON.stringify(snapshot)).toBe(then);
      }),
    );
  });

  it('gives the same object until something is added', () => {
    const reader = new PartialJsonReader();
    reader.push('{"a":1,');
    const before = reader.value;
    reader.push('  "b"');
    expect(reader.value).toBe(before);
    reader.push(':"');
    expect(reader.value).toEqual({ a: 1, b: '' });
  });

  it('tells of keys that come twice', () => {
    const reader = new PartialJsonReader();
    reader.push('{"a":"xy",');
    expect(reader.repeatsKeys).toBe(false);
    reader.push('"a":"z"');
    expect(reader.repeatsKeys).toBe(true);
    expect(reader.value).toEqual({ a: 'z' });
  });

  it.each([
    ['<think>', 'hm, if a < b {then} [1] ', '</think>'],
    ['', 'Words, {more} of [them] <b>and</b> ', ''],
    [' ', '\n', ''],
  ])('lets go of what comes before the value: %j %j', (first, again, last) => {
    const before = first + again.repeat(300_000 / again.length) + last;
    const reader = new PartialJsonReader();
    const start = performance.now();
    for (let at = 0; at < before.length; at += 3) reader.push(before.slice(at, at + 3));
    reader.push('{"a":"x"}');
    expect(reader.value).toEqual({ a: 'x' });
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('is as fast for many small pieces as for few large ones', () => {
    const text = JSON.stringify({ items: Array.from({ length: 20_000 }, (_, n) => ({ n, name: `name ${n}` })) });
    const reader = new PartialJsonReader();
    const start = performance.now();
    for (let at = 0; at < text.length; at += 8) reader.push(text.slice(at, at + 8));
    expect(reader.value).toEqual(JSON.parse(text));
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
