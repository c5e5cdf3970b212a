import { VernalError } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import { describe, expect, it } from 'vitest';

const validator = jsonSchemaValidator();

async function fits(schema: Record<string, unknown>, value: unknown): Promise<boolean> {
  return (await validator.validate(schema, value)).length === 0;
}

async function faultOf(schema: Record<string, unknown>): Promise<VernalError> {
  try {
    await validator.validate(schema, 1);
  } catch (error) {
    if (VernalError.is(error)) return error;
    throw error;
  }
  throw new Error('the schema was accepted');
}

describe('references', () => {
  it('follow JSON Pointers with escapes', async () => {
    const schema = {
      $ref: '#/$defs/a~1b~0c%25',
      $defs: { 'a/b~c%': { type: 'integer' } },
    };
    expect(await fits(schema, 1)).toBe(true);
    expect(await fits(schema, 'x')).toBe(false);
  });

  it('follow pointers into lists and into places that no keyword knows', async () => {
    const schema = {
      anyOf: [{ $ref: '#/allOf/0' }, { $ref: '#/components/schemas/N' }],
      allOf: [{ not: { type: 'boolean' } }],
      components: { schemas: { N: { type: 'null' } } },
    };
    expect(await fits(schema, 'x')).toBe(true);
    expect(await fits(schema, true)).toBe(false);
  });

  it('hold beside other keywords', async () => {
    const schema = { $defs: { n: { type: 'number' } }, properties: { a: { $ref: '#/$defs/n', minimum: 3 } } };
    expect(await fits(schema, { a: 3 })).toBe(true);
    expect(await fits(schema, { a: 2 })).toBe(false);
    expect(await fits(schema, { a: '3' })).toBe(false);
  });

  it('describe trees of any shape', async () => {
    const tree = {
      type: 'object',
      properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['value'],
    };
    expect(await fits(tree, { value: 1, children: [{ value: 2, children: [{ value: 3 }] }] })).toBe(true);
    expect(await validator.validate(tree, { value: 1, children: [{ value: 2, children: [{}] }] })).toEqual([
      { message: 'is missing', path: ['children', 0, 'children', 0, 'value'] },
    ]);
  });

  it('find anchors, embedded resources and their relative references', async () => {
    const schema = {
      $id: 'https://example.com/root.json',
      properties: {
        byAnchor: { $ref: '#city' },
        byId: { $ref: 'parts/place.json' },
        inside: { $ref: '/parts/place.json#zip' },
      },
      $defs: {
        city: { $anchor: 'city', type: 'string' },
        place: {
          $id: 'parts/place.json',
          type: 'object',
          properties: { zip: { $ref: '#zip' }, up: { $ref: '../root.json#/$defs/city' } },
          $defs: { zip: { $anchor: 'zip', type: 'integer' } },
        },
      },
    };
    expect(await fits(schema, { byAnchor: 'Delft', byId: { zip: 1, up: 'x' }, inside: 2 })).toBe(true);
    for (const wrong of [{ byAnchor: 1 }, { byId: { zip: 'x' } }, { byId: { up: 1 } }, { inside: 'x' }])
      expect(await fits(schema, wrong), JSON.stringify(wrong)).toBe(false);
  });

  it('take an $id of an older draft for an anchor', async () => {
    const schema = {
      properties: { a: { $ref: '#n' }, b: { $ref: '#' } },
      definitions: { n: { $id: '#n', type: 'number' } },
    };
    expect(await fits(schema, { a: 1, b: { a: 2 } })).toBe(true);
    expect(await fits(schema, { a: 'x' })).toBe(false);
    expect(await fits(schema, { b: { a: 'x' } })).toBe(false);
  });

  it('do not take data for schemas', async () => {
    const schema = {
      const: { $anchor: 'x', $id: 'https://example.com/x' },
      properties: { $ref: { type: 'string' }, $anchor: { type: 'string' } },
    };
    expect(await fits(schema, { $anchor: 'x', $id: 'https://example.com/x' })).toBe(true);
  });
});

describe('schemas that cannot be used', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ properties: { a: { $ref: '#/$defs/none' } } }, '#/properties/a/$ref'],
    [{ $ref: '#none' }, '#/$ref'],
    [{ $ref: 'https://example.com/elsewhere.json' }, '#/$ref'],
    [{ $ref: '#/__proto__/x' }, '#/$ref'],
    [{ items: { pattern: '[' } }, '#/items/pattern'],
    [{ patternProperties: { '(': {} } }, '#/patternProperties'],
    [{ type: 'strin' }, '#/type'],
    [{ type: 'toString' }, '#/type'],
    [{ minimum: '1' }, '#/minimum'],
    [{ minLength: -1 }, '#/minLength'],
    [{ multipleOf: 0 }, '#/multipleOf'],
    [{ required: 'a' }, '#/required'],
    [{ properties: [] }, '#/properties'],
    [{ anyOf: [] }, '#/anyOf'],
    [{ allOf: {} }, '#/allOf'],
    [{ not: 1 }, '#/not'],
    [{ enum: 'a' }, '#/enum'],
    [{ $dynamicRef: '#x' }, '#/$dynamicRef'],
  ])('%j', async (schema, pointer) => {
    const error = await faultOf(schema);
    expect(error.code).toBe('invalid_argument');
    expect(error.details['pointer']).toBe(pointer);
  });

  it.each<[Record<string, unknown>]>([
    [{ $ref: '#' }],
    [{ allOf: [{ $ref: '#' }] }],
    [{ anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { not: { $ref: '#' } } } }],
  ])('%j refers to itself in place', async (schema) => {
    expect((await faultOf(schema)).code).toBe('invalid_argument');
  });

  it('a schema object that holds itself ends in the same error, not in a crash', async () => {
    const schema: Record<string, unknown> = {};
    schema['allOf'] = [schema];
    expect((await faultOf(schema)).code).toBe('invalid_argument');
  });

  it('a schema nested too deep', async () => {
    let schema: Record<string, unknown> = {};
    for (let depth = 0; depth < 50_000; depth++) schema = { not: schema };
    expect((await faultOf(schema)).code).toBe('invalid_argument');
  });
});
