import { jsonSchema } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import { describe, expect, it } from 'vitest';

const validator = jsonSchemaValidator();
const validate = async (schema: Record<string, unknown>, value: unknown) => [
  ...(await validator.validate(schema, value)),
];

describe('issues', () => {
  it('name place and rule', async () => {
    const schema = {
      type: 'object',
      properties: {
        tags: { type: 'array', items: { type: 'string', maxLength: 3 } },
        n: { type: 'integer', minimum: 1 },
      },
      required: ['name'],
      additionalProperties: false,
    };
    expect(await validate(schema, { tags: ['ok', 5, 'long!'], n: 0.5, secret: 1 })).toEqual([
      { message: 'is missing', path: ['name'] },
      { message: 'must be string, got number', path: ['tags', 1] },
      { message: 'must have at most 3 characters', path: ['tags', 2] },
      { message: 'must be integer, got another number', path: ['n'] },
      { message: 'must be >= 1', path: ['n'] },
      { message: 'is not allowed here', path: ['secret'] },
    ]);
  });

  it('never hold the value', async () => {
    const schema = {
      properties: {
        a: {
          const: 1,
          type: 'number',
          pattern: 'x',
          maxLength: 2,
          enum: ['y'],
          not: {},
          format: 'uuid',
          multipleOf: 2,
        },
      },
    };
    for (const secret of ['s3cr3t', 90210.5]) {
      const issues = await validate(schema, { a: secret });
      expect(issues.length).toBeGreaterThan(2);
      expect(JSON.stringify(issues)).not.toContain(String(secret));
    }
  });

  it('tell what is wrong with the alternative that was meant', async () => {
    const schema = {
      oneOf: [
        { properties: { kind: { const: 'circle' }, radius: { type: 'number' } }, required: ['kind', 'radius'] },
        {
          properties: { kind: { const: 'box' }, width: { type: 'number' }, height: { type: 'number' } },
          required: ['kind', 'width', 'height'],
        },
      ],
    };
    expect(await validate(schema, { kind: 'box', width: 1 })).toEqual([
      { message: 'must fit one of 2 alternatives', path: [] },
      { message: 'is missing', path: ['height'] },
    ]);
  });

  it('say that more than one alternative fits', async () => {
    expect(await validate({ oneOf: [{}, { type: 'number' }] }, 1)).toEqual([
      { message: 'must fit only one of 2 alternatives, fits 2', path: [] },
    ]);
  });

  it('are cut at 100', async () => {
    const issues = await validate(
      { items: { type: 'string' } },
      Array.from({ length: 5_000 }, () => 1),
    );
    expect(issues).toHaveLength(100);
  });

  it('are cut at 100 among alternatives, too', async () => {
    const items = { anyOf: [{ type: 'string' }, { properties: { n: { type: 'string' } }, type: 'object' }] };
    const issues = await validate(
      { items },
      Array.from({ length: 5_000 }, () => ({ n: 1 })),
    );
    expect(issues).toHaveLength(100);
  });

  it('reach the caller of jsonSchema()', async () => {
    const schema = jsonSchema<{ n: number }>({ properties: { n: { type: 'number' } } }, { validator });
    expect(await schema['~standard'].validate({ n: 1 })).toEqual({ value: { n: 1 } });
    expect(await schema['~standard'].validate({ n: 'x' })).toEqual({
      issues: [{ message: 'must be number, got string', path: ['n'] }],
    });
  });
});

describe('values nested without end', () => {
  const nested = (depth: number): unknown => {
    let value: unknown = {};
    for (let level = 0; level < depth; level++) value = { a: value };
    return value;
  };

  it.each<[string, Record<string, unknown>]>([
    ['properties', { properties: { a: { $ref: '#' } } }],
    ['under not', { not: { not: { additionalProperties: { $ref: '#' } } } }],
    ['under a failing alternative', { anyOf: [{ properties: { a: { $ref: '#' } } }, { type: 'string' }] }],
  ])('are an issue, not a crash: %s', async (_, schema) => {
    expect(await validate(schema, nested(50))).toEqual([]);
    const [issue] = await validate(schema, nested(100_000));
    expect(issue?.message).toBe('is nested too deep to be checked');
  });

  it('compare for uniqueness without recursion', async () => {
    expect(await validate({ uniqueItems: true }, [nested(20_000), nested(20_000)])).toHaveLength(1);
    expect(await validate({ uniqueItems: true }, [nested(20_000), nested(20_001)])).toEqual([]);
  });
});
