import { defaultCleaners } from '@vernal/core';
import fc from 'fast-check';
import { jsonrepair } from 'jsonrepair';
import { expect, it } from 'vitest';

const clean = (text: string): string => defaultCleaners.reduce((cleaned, cleaner) => cleaner(cleaned), text);

/** Lists and objects whose strings are made of these. */
function containers(...units: readonly string[]): fc.Arbitrary<unknown> {
  const word = fc.string({ unit: fc.constantFrom(...units), maxLength: 6 });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      word,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(word, tie('value'), { maxKeys: 4 }),
    ),
  }));
  return fc.oneof(fc.array(value, { maxLength: 4 }), fc.dictionary(word, value, { maxKeys: 4 }));
}

/** jsonrepair takes brackets, commas and fences in strings for structure where it is in doubt, so it is asked about plain words. */
const plain = containers('a', 'é', ' ', '\\');
const hostile = containers('a', 'é', ' ', ',', '}', ']', '{', '[', ':', '\\', '<think>', '```', "'");

interface Damage {
  readonly commas: boolean;
  readonly quotes: readonly [string, string];
  readonly space: string;
}

/** JSON as a careless model writes it. */
function damaged(given: unknown, damage: Damage): string {
  const { commas, quotes, space } = damage;
  if (typeof given === 'string') return quotes[0] + JSON.stringify(given).slice(1, -1) + quotes[1];
  if (typeof given !== 'object' || given === null) return JSON.stringify(given);
  const parts = Array.isArray(given)
    ? given.map((item) => damaged(item, damage))
    : Object.entries(given).map(([key, member]) => `${damaged(key, damage)}:${space}${damaged(member, damage)}`);
  const [open, close] = Array.isArray(given) ? '[]' : '{}';
  return `${open}${space}${parts.join(`,${space}`)}${commas && parts.length > 0 ? `${space},${space}` : ''}${close}`;
}

const damage = fc.record({
  commas: fc.boolean(),
  quotes: fc.constantFrom<Damage['quotes']>(
    ['"', '"'],
    ['\u201c', '\u201d'],
    ['\u201c', '\u201c'],
    ['\u201d', '\u201d'],
  ),
  space: fc.constantFrom('', ' ', '\n  '),
});

it('mends trailing commas and typographic quotes as jsonrepair does', () => {
  fc.assert(
    fc.property(plain, damage, (given, how) => {
      const text = damaged(given, how);
      expect(JSON.parse(clean(text)), text).toEqual(JSON.parse(jsonrepair(text)));
    }),
    { numRuns: 300 },
  );
});

it('and never touches a string, whatever it looks like', () => {
  const straight = damage.map((how): Damage => ({ ...how, quotes: ['"', '"'] }));
  fc.assert(
    fc.property(hostile, straight, (given, how) => {
      const text = damaged(given, how);
      expect(JSON.parse(clean(text)), text).toEqual(JSON.parse(JSON.stringify(given)));
    }),
    { numRuns: 300 },
  );
});

it('takes JSON out of fences as jsonrepair does', () => {
  fc.assert(
    fc.property(plain, fc.constantFrom('```json\n', '```\n', '```json '), (given, fence) => {
      const text = `${fence}${JSON.stringify(given)}\n\`\`\``;
      expect(JSON.parse(clean(text))).toEqual(JSON.parse(jsonrepair(text)));
    }),
  );
});

it.each(['```', '~~~'])('reads a fence of %s that goes on without end', (fence) => {
  const long = fence.repeat(50_000);
  expect(clean(`${long}json\n{"a": 1}\n${long}`)).toBe('{"a": 1}');
  expect(clean(`${long}\nplain\n${long}`)).toBe('plain');
  expect(clean(`${long}thinking\nhm\n${long}\n{"a": 1}`)).toBe('{"a": 1}');
});
