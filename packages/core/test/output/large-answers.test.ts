import { listConverter, mapConverter, tool } from '@vernal/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';

const LENGTH = 4_000_000;
/** Makes the search for numbers that cannot be kept look at the whole text. */
const LONG_NUMBER = 1_234_567_890_123_456;

it.each(['x', '\\"', '{[', '" '])('strings of megabytes (%j) are read, in JSON and in tool arguments', async (part) => {
  const text = part.repeat(LENGTH / part.length);
  const json = JSON.stringify({ text, n: LONG_NUMBER });
  expect(await mapConverter().convert(json)).toEqual({ text, n: LONG_NUMBER });
  const input = z.object({ text: z.string(), n: z.number() });
  const length = tool({ name: 'length', input, execute: (value) => value.text.length });
  expect(await length.call(json)).toBe(String(text.length));
});

it('so are items of a list, quoted or not', () => {
  expect(listConverter().convert(`"${'a""'.repeat(LENGTH / 4)}", b`)).toEqual(['a"'.repeat(LENGTH / 4), 'b']);
  expect(listConverter().convert('a,'.repeat(LENGTH / 8))).toHaveLength(LENGTH / 8 + 1);
});

it('a quoted item is what a regular expression would find', async () => {
  const item = /\s*"((?:[^"\\]|\\[\s\S]|"")*)"\s*(?=,|$)/y;
  const marks = fc.string({ unit: fc.constantFrom('"', '\\', ',', ' ', 'a', '\n'), maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(marks, async (text) => {
      item.lastIndex = 0;
      const first = item.exec(text)?.[1] ?? undefined;
      const [found] = await listConverter({ cleaners: [] }).convert(text);
      if (text.trim() === '') expect(found).toBeUndefined();
      else expect(found).toBe(first?.replace(/\\(["\\])|""/g, (_, mark = '"') => mark) ?? text.split(',')[0]?.trim());
    }),
    { numRuns: 2_000 },
  );
});
