import { jsonSchemaValidator } from '@vernal/core/json-schema';
import { describe, expect, it } from 'vitest';

const validator = jsonSchemaValidator();

type Case = readonly [schema: Record<string, unknown>, fits: readonly unknown[], fails: readonly unknown[]];

/** Members whose name is `then` would make a literal look like a promise. */
const when = (
  condition: unknown,
  branches: readonly (readonly ['then' | 'else', unknown])[],
): Record<string, unknown> => ({
  if: condition,
  ...Object.fromEntries(branches),
});

const cases: Readonly<Record<string, readonly Case[]>> = {
  type: [
    [{}, [1, 'a', null, [], {}], []],
    [{ type: 'string' }, ['', 'a'], [1, null, [], {}, true]],
    [{ type: 'number' }, [0, -1.5, 1e300], ['1', Number.NaN, Number.POSITIVE_INFINITY, null]],
    [{ type: 'integer' }, [0, 1.0, -3, 1e20], [1.5, '1', Number.POSITIVE_INFINITY]],
    [{ type: 'boolean' }, [true, false], [0, 'true']],
    [{ type: 'null' }, [null], [0, undefined, {}]],
    [{ type: 'array' }, [[], [1]], [{}, 'a']],
    [{ type: 'object' }, [{}], [[], null, 'a']],
    [{ type: ['string', 'null'] }, ['a', null], [1, []]],
  ],
  enum: [
    [{ enum: ['a', 1, null, { x: [1] }] }, ['a', 1, null, { x: [1] }], ['b', 2, {}, { x: [1, 2] }, '1']],
    [{ enum: [] }, [], [1, null]],
  ],
  const: [
    [{ const: { a: 1, b: [2] } }, [{ b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: [2], c: 0 }, null]],
    [{ const: 0 }, [0, -0], [false, '0', null]],
    [{ const: false }, [false], [0, '']],
    [{ const: null }, [null], [undefined, 0]],
  ],
  numbers: [
    [{ minimum: 1, maximum: 3 }, [1, 2.5, 3, 'x'], [0.999, 3.001]],
    [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, [1.001, 2], [1, 3]],
    [{ multipleOf: 0.1 }, [0.3, 0.7, 1.1, -0.2, 0], [0.35, 0.01]],
    [{ multipleOf: 0.0001 }, [0.0075], [0.00751]],
    [{ multipleOf: 3 }, [9, 0, -6, '7'], [10]],
    [{ multipleOf: 0.123456789 }, [], [1e308]],
    [{ multipleOf: 1e-8 }, [12391239123], []],
  ],
  'string lengths are code points': [
    [{ minLength: 2 }, ['ab', '😀a', '😀😀', 3], ['a', '😀', '']],
    [{ maxLength: 2 }, ['', '😀😀', 'ab'], ['abc', '😀😀😀']],
  ],
  'patterns are unicode and not anchored': [
    [{ pattern: 'b' }, ['abc', 1], ['ac']],
    [{ pattern: '^.$' }, ['😀', 'a'], ['ab', '']],
    [{ pattern: '^\\p{Lu}' }, ['Ärger'], ['ärger']],
  ],
  'format is a note': [[{ format: 'email' }, ['not an address', 1], []]],
  objects: [
    [{ required: ['a'] }, [{ a: null }, 'no object'], [{}, { b: 1 }, { a: undefined }]],
    [{ required: ['toString', '__proto__'] }, [JSON.parse('{"toString":1,"__proto__":2}')], [{}, { toString: 1 }]],
    [{ properties: { a: { type: 'string' } } }, [{}, { a: 'x', b: 1 }, { a: undefined }], [{ a: 1 }]],
    [{ properties: { a: false } }, [{}], [{ a: 1 }]],
    [
      { additionalProperties: false, properties: { a: {} }, patternProperties: { '^x': {} } },
      [{ a: 1, x1: 2 }],
      [{ b: 1 }],
    ],
    [{ additionalProperties: { type: 'number' } }, [{ a: 1 }], [{ a: 'x' }]],
    [
      { patternProperties: { '^n': { type: 'number' }, z$: { minimum: 5 } } },
      [{ nz: 6, other: 'x' }],
      [{ n: 'x' }, { nz: 1 }],
    ],
    [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
    [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }, { a: 1, b: 2 }], [{}, { a: 1, b: 2, c: 3 }]],
    [{ dependentRequired: { a: ['b'] } }, [{}, { b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
    [{ dependentSchemas: { a: { required: ['b'] } } }, [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  ],
  arrays: [
    [{ items: { type: 'number' } }, [[], [1, 2], 'x'], [[1, 'a']]],
    [{ prefixItems: [{ type: 'string' }, { type: 'number' }] }, [[], ['a'], ['a', 1, true]], [[1], ['a', 'b']]],
    [{ prefixItems: [{ type: 'string' }], items: { type: 'number' } }, [['a', 1, 2]], [['a', 'b']]],
    [{ prefixItems: [{}], items: false }, [[], [1]], [[1, 2]]],
    [{ minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
    [{ contains: { const: 1 } }, [[1], [0, 1]], [[], [0]]],
    [
      { contains: { const: 1 }, minContains: 2, maxContains: 3 },
      [
        [1, 1],
        [1, 0, 1, 1],
      ],
      [[1], [1, 1, 1, 1]],
    ],
    [{ contains: { const: 1 }, minContains: 0 }, [[], [0]], []],
    [
      { uniqueItems: true },
      [
        [1, '1', true, null, 0, false],
        [{ a: 1 }, { a: 2 }],
        [[1], [[1]]],
      ],
      [
        [1, 1],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        [
          [1, 2],
          [1, 2],
        ],
        [0, -0],
      ],
    ],
    [{ uniqueItems: false }, [[1, 1]], []],
  ],
  combinations: [
    [{ allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]],
    [{ anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['a', 7, null], [3]],
    [{ oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 5]],
    [{ not: { type: 'string' } }, [1, null], ['a']],
    [{ not: { not: { type: 'string' } } }, ['a'], [1]],
    [
      when({ minimum: 10 }, [
        ['then', { multipleOf: 10 }],
        ['else', { multipleOf: 2 }],
      ]),
      [20, 4],
      [15, 3],
    ],
    [when({ minimum: 10 }, [['then', { multipleOf: 10 }]]), [20, 3], [15]],
    [
      Object.fromEntries([
        ['then', { type: 'string' }],
        ['else', { type: 'string' }],
      ]),
      [1],
      [],
    ],
  ],
  unevaluated: [
    [
      { allOf: [{ properties: { a: {} } }], properties: { b: {} }, unevaluatedProperties: false },
      [{ a: 1, b: 2 }],
      [{ a: 1, c: 3 }],
    ],
    [
      {
        anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: {} } }],
        unevaluatedProperties: false,
      },
      [{ a: 'x', b: 1 }, { b: 1 }],
      [{ a: 1, b: 1 }],
    ],
    [{ not: { properties: { a: {} }, required: ['a', 'b'] }, unevaluatedProperties: false }, [{}], [{ a: 1 }]],
    [
      {
        ...when({ required: ['k'] }, [['then', { properties: { k: {}, v: {} } }]]),
        unevaluatedProperties: { type: 'number' },
      },
      [{ k: 'x', v: 'y' }, { v: 1 }],
      [{ v: 'y' }],
    ],
    [
      { prefixItems: [{}], contains: { type: 'string' }, unevaluatedItems: { type: 'number' } },
      [[null, 'a', 1]],
      [[null, 'a', null]],
    ],
    [{ allOf: [{ prefixItems: [{}, {}] }], unevaluatedItems: false }, [[1, 2]], [[1, 2, 3]]],
  ],
  'older drafts': [
    [{ items: [{ type: 'string' }], additionalItems: { type: 'number' } }, [['a', 1]], [[1], ['a', 'b']]],
    [{ items: [{ type: 'string' }] }, [['a', null]], [[1]]],
    [
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      [
        { a: 1, b: 1 },
        { c: 1, d: 1 },
      ],
      [{ a: 1 }, { c: 1 }],
    ],
    [{ definitions: { n: { type: 'number' } }, $ref: '#/definitions/n' }, [1], ['a']],
  ],
};

for (const [name, rows] of Object.entries(cases)) {
  describe(name, () => {
    it.each(rows)('%j', async (schema, fits, fails) => {
      for (const value of fits) expect(await validator.validate(schema, value), JSON.stringify(value)).toEqual([]);
      for (const value of fails) expect(await validator.validate(schema, value), JSON.stringify(value)).not.toEqual([]);
    });
  });
}

describe('formats: true', () => {
  const strict = jsonSchemaValidator({ formats: true });
  const formats: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
    date: [
      ['2024-02-29', '2000-02-29'],
      ['2023-02-29', '1900-02-29', '2024-13-01', '2024-1-1', '2024-04-31', '20240101'],
    ],
    'date-time': [
      ['2024-02-29T23:59:59Z', '2024-01-01t00:00:00.123+01:00', '1998-12-31T23:59:60Z', '1998-12-31T15:59:60.5-08:00'],
      ['2024-02-30T00:00:00Z', '2024-01-01T24:00:00Z', '2024-01-01T00:00:00', '2024-01-01T12:00:60Z', '2024-01-01'],
    ],
    email: [
      ['ann@example.com', 'a.b+c@sub.example.org'],
      ['ann', 'ann@', '@example.com', 'a b@example.com', '.a@example.com'],
    ],
    uri: [
      ['https://example.com/a?b#c', 'urn:isbn:0', 'mailto:a@b.c'],
      ['/relative', 'example.com', 'http://a b', 'http://[::1'],
    ],
    uuid: [
      ['2EB8AA08-AA98-11EA-B4AA-73B441D16380'],
      ['2eb8aa08-aa98-11ea-b4aa-73b441d1638', '2eb8aa08aa9811eab4aa73b441d16380'],
    ],
  };

  it.each(Object.entries(formats))('%s', async (format, [fits, fails]) => {
    for (const text of fits) expect(await strict.validate({ format }, text), text).toEqual([]);
    for (const text of fails)
      expect(await strict.validate({ format }, text), text).toEqual([
        { message: `must be a valid ${format}`, path: [] },
      ]);
    expect(await strict.validate({ format }, 1)).toEqual([]);
  });

  it('leaves other formats alone', async () => {
    expect(await strict.validate({ format: 'hostname' }, '!!')).toEqual([]);
  });
});
