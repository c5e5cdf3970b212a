import { listConverter, mapConverter, StructuredOutputError } from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('listConverter', () => {
  it.each([
    ['', []],
    ['  \n', []],
    ['a', ['a']],
    ['a, b ,c', ['a', 'b', 'c']],
    ['a,,b', ['a', '', 'b']],
    ['"a, b", c', ['a, b', 'c']],
    ['"say ""hi""", "say \\"ho\\""', ['say "hi"', 'say "ho"']],
    ['6" pipe, 7" pipe', ['6" pipe', '7" pipe']],
    ['"open, b', ['"open', 'b']],
    ['```\na, b\n```', ['a', 'b']],
    ['<think>one, two</think>a, b', ['a', 'b']],
    ['x [1], y', ['x [1]', 'y']],
    ['1, 2, 3', ['1', '2', '3']],
  ])('%j', async (text, items) => {
    expect(await listConverter().convert(text)).toEqual(items);
  });

  it('reads back what was quoted', () => {
    const item = fc
      .string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', 'é') })
      .filter((text) => !text.includes('<'));
    fc.assert(
      fc.property(fc.array(item, { minLength: 1 }), (items) => {
        const text = items.map((one) => `"${one.replaceAll('"', '""')}"`).join(', ');
        expect(listConverter({ cleaners: [] }).convert(text)).toEqual(items);
      }),
    );
  });

  it('says how to write a comma', () => {
    expect(listConverter().format).toMatch(/commas/);
    expect(listConverter().jsonSchema).toBeUndefined();
  });
});

describe('mapConverter', () => {
  it('gives any JSON object', async () => {
    expect(await mapConverter().convert('Here: ```json {"a":{"b":[1]}}```')).toEqual({ a: { b: [1] } });
    expect(mapConverter().jsonSchema).toEqual({ type: 'object', additionalProperties: true });
    expect(mapConverter().format).toContain('JSON');
  });

  it.each(['[1]', 'null', '"x"', 'nothing', '{"id":12345678901234567890}'])('refuses %j', (text) => {
    expect(() => mapConverter().convert(text)).toThrow(
      expect.objectContaining({ code: 'structured_output', rawText: text }),
    );
    expect(StructuredOutputError.is(new Error('x'))).toBe(false);
  });
});
