import { parsePartialJson } from '@vernal/core';
import fc from 'fast-check';
import { Allow, parse } from 'partial-json';
import { expect, it } from 'vitest';

/** What partial-json reads when it may cut strings, objects and lists, but not numbers and literals. */
function oracle(text: string): unknown {
  try {
    return parse(text, Allow.STR | Allow.OBJ | Allow.ARR);
  } catch {
    return undefined;
  }
}

const key = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', 'é', '{', ',', ' '), maxLength: 4 });
const text = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '/', '\n', '\u0001', 'é', '漢', '}', ']', ':', ','),
  maxLength: 8,
});
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
  ),
}));

it('reads every prefix of an object or list as partial-json does', () => {
  const container = fc.oneof(fc.array(value, { maxLength: 5 }), fc.dictionary(key, value, { maxKeys: 5 }));
  fc.assert(
    fc.property(container, (given) => {
      const json = JSON.stringify(given);
      for (let end = 1; end <= json.length; end++) {
        const prefix = json.slice(0, end);
        expect(parsePartialJson(prefix), prefix).toEqual(oracle(prefix));
      }
    }),
    { numRuns: 200 },
  );
});

it('reads strings cut in an escape as partial-json does', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), (given) => {
      const json = JSON.stringify(given).replace(
        /[é漢]/g,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      for (let end = 1; end <= json.length; end++) {
        expect(parsePartialJson(json.slice(0, end))).toEqual(oracle(json.slice(0, end)));
      }
    }),
  );
});
