import { VernalError } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import { describe, expect, test } from 'vitest';

const careful = jsonSchemaValidator({ patterns: false, maxSteps: 100_000 });
const EVIL = '^(a+)+$';
const TEXT = `${'a'.repeat(60)}!`;

describe('patterns that are passed over', () => {
  test.each([
    [{ properties: { x: { pattern: EVIL } } }],
    [{ properties: { x: { $ref: '#/examples/0' } }, examples: [{ pattern: EVIL }] }],
    [{ properties: { x: { $ref: '#/default' } }, default: { pattern: EVIL } }],
    [{ properties: { x: { anyOf: [{ $ref: '#/properties/y/const' }] }, y: { const: { pattern: EVIL } } } }],
    [{ properties: { x: { not: { pattern: EVIL } } } }],
    [{ properties: { x: { oneOf: [{ pattern: EVIL }, { pattern: 'b' }] } } }],
    [JSON.parse(`{"properties": {"x": {"if": {"pattern": "${EVIL}"}, "then": false}}}`)],
    [{ propertyNames: { pattern: EVIL } }],
    [{ patternProperties: { [EVIL]: false }, additionalProperties: false }],
    [{ patternProperties: { [EVIL]: false }, unevaluatedProperties: false }],
  ])('are no issue: %j', async (schema) => {
    expect(await careful.validate({ ...schema }, { x: TEXT })).toEqual([]);
  });

  test('leave the rest of the schema standing', async () => {
    const schema = {
      properties: {
        both: { pattern: EVIL, maxLength: 3 },
        one: { oneOf: [{ pattern: EVIL, type: 'string' }, { type: 'number' }] },
        not: { not: { type: 'string' } },
        few: { contains: { pattern: 'a' }, maxContains: 1 },
      },
    };
    expect(await careful.validate(schema, { both: TEXT })).toHaveLength(1);
    expect(await careful.validate(schema, { one: true })).not.toEqual([]);
    expect(await careful.validate(schema, { one: 7 })).toEqual([]);
    expect(await careful.validate(schema, { not: 'a' })).toHaveLength(1);
    expect(await careful.validate(schema, { few: ['a', 'b'] })).toEqual([]);
  });
});

describe('a limit of steps', () => {
  const expectGivenUp = async (schema: object, value: unknown) =>
    expect(await careful.validate({ ...schema }, value)).toEqual([
      expect.objectContaining({ message: 'takes too many steps to be checked' }),
    ]);

  test('ends schemas that refer to each other twice', async () => {
    const $defs: Record<string, object> = { d64: { type: 'object' } };
    for (let i = 0; i < 64; i++) {
      const next = { $ref: `#/$defs/d${i + 1}` };
      $defs[`d${i}`] = { [['allOf', 'anyOf', 'oneOf'][i % 3] ?? '']: [next, next] };
    }
    await expectGivenUp({ $ref: '#/$defs/d0', $defs }, {});
    await expectGivenUp({ not: { $ref: '#/$defs/d0' }, $defs }, {});
  });

  test('ends the comparison of many items, with each other and with constants', async () => {
    const alike = Array.from({ length: 15_000 }, (_, i) => [[[[[i]]]]]);
    await expectGivenUp({ uniqueItems: true }, alike);
    await expectGivenUp({ items: { enum: alike } }, alike);
    await expectGivenUp(
      { items: { minLength: 1 } },
      Array.from({ length: 1_000 }, () => 'x'.repeat(2_000)),
    );
  });

  test('lets what is within it through', async () => {
    const items = Array.from({ length: 5_000 }, (_, i) => ({ id: i, name: `name ${i}` }));
    const schema = { uniqueItems: true, items: { properties: { id: { type: 'integer' } }, required: ['id', 'name'] } };
    expect(await careful.validate(schema, items)).toEqual([]);
    expect(await careful.validate(schema, [...items, { id: 1, name: 'name 1' }])).toHaveLength(1);
    // Each validation has its own.
    expect(await careful.validate(schema, items)).toEqual([]);
  });

  test('must be one', () => {
    for (const maxSteps of [0, Number.NaN]) expect(() => jsonSchemaValidator({ maxSteps })).toThrow(VernalError);
  });
});
