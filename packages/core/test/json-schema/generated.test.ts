import { toJsonSchema } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const validator = jsonSchemaValidator();

/** A schema and, written beside it without looking at JSON Schema, what it means. */
interface Meaning {
  readonly schema: Record<string, unknown> | boolean;
  readonly fits: (value: unknown) => boolean;
}

const KEYS = ['a', 'b', 'c'];
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Equality by another road than the validator's: sorted JSON text. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, member) => (isObject(member) ? Object.fromEntries(Object.entries(member).sort()) : member));

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, 1, 2, 2.5, -1, '', 'a', 'ab', 'b😀', '😀'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const leaf: fc.Arbitrary<Meaning> = fc.oneof(
  fc.boolean().map((schema): Meaning => ({ schema, fits: () => schema })),
  fc.constantFrom<Meaning>(
    { schema: { type: 'string' }, fits: (value) => typeof value === 'string' },
    { schema: { type: ['integer', 'null'] }, fits: (value) => value === null || Number.isInteger(value) },
    { schema: { type: 'object' }, fits: isObject },
    { schema: { pattern: '^a' }, fits: (value) => typeof value !== 'string' || value.startsWith('a') },
    {
      schema: { uniqueItems: true },
      fits: (value) => !Array.isArray(value) || new Set(value.map(text)).size === value.length,
    },
  ),
  json.map((value): Meaning => ({ schema: { const: value }, fits: (other) => text(other) === text(value) })),
  fc.array(json, { maxLength: 3 }).map(
    (values): Meaning => ({
      schema: { enum: values },
      fits: (other) => values.some((value) => text(other) === text(value)),
    }),
  ),
  fc
    .integer({ min: -1, max: 3 })
    .map((n): Meaning => ({ schema: { minimum: n }, fits: (value) => typeof value !== 'number' || value >= n })),
  fc.integer({ min: 0, max: 2 }).map(
    (n): Meaning => ({
      schema: { maxLength: n },
      fits: (value) => typeof value !== 'string' || [...value].length <= n,
    }),
  ),
  fc.integer({ min: 0, max: 2 }).map(
    (n): Meaning => ({
      schema: { minItems: n, minProperties: n },
      fits: (value) => (Array.isArray(value) ? value.length >= n : !isObject(value) || Object.keys(value).length >= n),
    }),
  ),
  fc.constantFrom(...KEYS).map(
    (key): Meaning => ({
      schema: { required: [key] },
      fits: (value) => !isObject(value) || Object.hasOwn(value, key),
    }),
  ),
);

const meaning: fc.Arbitrary<Meaning> = fc.letrec<{ any: Meaning }>((tie) => {
  const any = tie('any');
  return {
    any: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(any, { minLength: 1, maxLength: 3 }).map(
        (parts): Meaning => ({
          schema: { allOf: parts.map((part) => part.schema) },
          fits: (value) => parts.every((part) => part.fits(value)),
        }),
      ),
      fc.array(any, { minLength: 1, maxLength: 3 }).map(
        (parts): Meaning => ({
          schema: { anyOf: parts.map((part) => part.schema) },
          fits: (value) => parts.some((part) => part.fits(value)),
        }),
      ),
      fc.array(any, { minLength: 1, maxLength: 3 }).map(
        (parts): Meaning => ({
          schema: { oneOf: parts.map((part) => part.schema) },
          fits: (value) => parts.filter((part) => part.fits(value)).length === 1,
        }),
      ),
      any.map((part): Meaning => ({ schema: { not: part.schema }, fits: (value) => !part.fits(value) })),
      fc.tuple(any, any, any).map(
        ([when, then, other]): Meaning => ({
          schema: Object.fromEntries([
            ['if', when.schema],
            ['then', then.schema],
            ['else', other.schema],
          ]),
          fits: (value) => (when.fits(value) ? then : other).fits(value),
        }),
      ),
      any.map(
        (part): Meaning => ({
          schema: { items: part.schema },
          fits: (value) => !Array.isArray(value) || value.every(part.fits),
        }),
      ),
      any.map(
        (part): Meaning => ({
          schema: { contains: part.schema },
          fits: (value) => !Array.isArray(value) || value.some(part.fits),
        }),
      ),
      fc.tuple(any, any).map(
        ([head, tail]): Meaning => ({
          schema: { prefixItems: [head.schema], items: tail.schema },
          fits: (value) => !Array.isArray(value) || value.every((item, i) => (i === 0 ? head : tail).fits(item)),
        }),
      ),
      fc.tuple(any, any).map(
        ([a, rest]): Meaning => ({
          schema: { properties: { a: a.schema }, additionalProperties: rest.schema },
          fits: (value) =>
            !isObject(value) || Object.entries(value).every(([key, member]) => (key === 'a' ? a : rest).fits(member)),
        }),
      ),
      any.map((part): Meaning => ({ schema: { $ref: '#/$defs/x', $defs: { x: part.schema } }, fits: part.fits })),
    ),
  };
}).any;

/** References inside are to the schema's own `$defs`: an `$id` makes it a document of its own, wherever it is put. */
let counter = 0;
const standAlone = ({ schema, fits }: Meaning): Meaning =>
  typeof schema === 'boolean' || schema['$ref'] === undefined
    ? { schema, fits }
    : { schema: { ...schema, $id: `https://example.com/${counter++}` }, fits };

describe('random schemas', () => {
  it('accept what their meaning accepts', () => {
    fc.assert(
      fc.property(meaning.map(identify), fc.array(json, { minLength: 1, maxLength: 5 }), ({ schema, fits }, values) => {
        const root = typeof schema === 'boolean' ? { allOf: [schema] } : schema;
        for (const value of values) {
          const issues = validator.validate(root, value);
          expect(issues instanceof Promise || issues.length === 0).toBe(fits(value));
        }
      }),
      { numRuns: 500 },
    );
  });
});

/** Gives every schema with a `$ref` an id of its own, at every depth. */
function identify(meaning: Meaning): Meaning {
  const walk = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(walk);
    if (!isObject(schema)) return schema;
    const { const: constant, enum: options, ...rest } = schema;
    const copy = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, walk(member)]));
    const whole = {
      ...copy,
      ...('const' in schema ? { const: constant } : {}),
      ...('enum' in schema ? { enum: options } : {}),
    };
    return standAlone({ schema: whole, fits: meaning.fits }).schema;
  };
  const schema = walk(meaning.schema);
  return { schema: isObject(schema) || typeof schema === 'boolean' ? schema : {}, fits: meaning.fits };
}

describe('schemas that zod writes', () => {
  const Tree: z.ZodType = z.lazy(() => z.object({ v: z.number(), kids: z.array(Tree).optional() }));
  const schemas: readonly [string, z.ZodType][] = [
    ['strict object', z.strictObject({ a: z.string().min(1).max(2), b: z.number().int().min(0).optional() })],
    ['loose object', z.looseObject({ a: z.union([z.string(), z.number()]) })],
    ['nullable and enum', z.object({ a: z.enum(['a', 'ab']).nullable(), b: z.literal(1).optional() })],
    [
      'discriminated union',
      z.discriminatedUnion('a', [
        z.object({ a: z.literal('a'), b: z.number() }),
        z.object({ a: z.literal('ab'), c: z.boolean() }),
      ]),
    ],
    [
      'record and tuple',
      z.object({ a: z.record(z.string(), z.number()).optional(), b: z.tuple([z.string(), z.number()]).optional() }),
    ],
    ['numbers', z.number().gt(0).lte(2.5).multipleOf(0.5)],
    [
      'arrays',
      z
        .array(z.union([z.boolean(), z.null(), z.array(z.number())]))
        .min(1)
        .max(2),
    ],
    ['regex', z.string().regex(/^a|b/)],
    ['recursion', Tree],
    ['intersection', z.intersection(z.object({ a: z.number() }), z.object({ b: z.string() }))],
  ];
  const shaped: fc.Arbitrary<unknown> = fc.oneof(
    json,
    fc.record(
      {
        a: fc.constantFrom<unknown>('a', 'ab', 'abc', 1, null, {}, { k: 1 }),
        b: fc.constantFrom<unknown>(1, 0, -1, 'x', ['x', 1], ['x']),
        c: json,
      },
      { requiredKeys: [] },
    ),
    fc.record(
      { v: fc.constantFrom(1, 'x'), kids: fc.array(fc.record({ v: fc.constantFrom(1, 'x') })) },
      { requiredKeys: [] },
    ),
  );

  it.each(schemas)('%s: same verdict as zod', (_, schema) => {
    const written = toJsonSchema(schema);
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(shaped, (value) => {
        const fits = schema.safeParse(value).success;
        seen[`${fits}`]++;
        const issues = validator.validate(written, value);
        expect(issues instanceof Promise || issues.length === 0).toBe(fits);
      }),
      {
        numRuns: 300,
        seed: 7,
        examples: [{ a: 'a' }, { a: 1, b: 'x' }, { a: 'ab', b: 1 }, { a: 'x' }].map((value): [unknown] => [value]),
      },
    );
    expect(seen.true, 'some values fit').toBeGreaterThan(0);
    expect(seen.false, 'some values do not').toBeGreaterThan(0);
  });
});
