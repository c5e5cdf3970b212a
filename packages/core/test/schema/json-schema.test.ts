import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { jsonSchema, toJsonSchema, withJsonSchema } from '@vernal/core';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const cityJson = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

describe('toJsonSchema', () => {
  it('asks the library itself: zod, and valibot with its converter', () => {
    expect(toJsonSchema(z.object({ name: z.string() }))).toMatchObject(cityJson);
    expect(toJsonSchema(toStandardJsonSchema(v.object({ name: v.string() })))).toMatchObject(cityJson);
  });

  it('describes what a model must write unless asked for the output side', () => {
    const schema = z.object({ n: z.string().transform(Number).pipe(z.number()), d: z.string().default('x') });
    expect(toJsonSchema(schema)).toMatchObject({ properties: { n: { type: 'string' } }, required: ['n'] });
    expect(toJsonSchema(schema, { direction: 'output' })).toMatchObject({
      properties: { n: { type: 'number' } },
      required: ['n', 'd'],
    });
  });

  it('hands the target on', () => {
    expect(toJsonSchema(z.string(), { target: 'draft-07' })['$schema']).toContain('draft-07');
    expect(toJsonSchema(z.string())['$schema']).toContain('2020-12');
  });

  it('names the ways out for a schema that cannot say it', () => {
    expect(() => toJsonSchema(v.string())).toThrow(
      expect.objectContaining({
        code: 'schema_without_json_schema',
        subject: 'valibot',
        message: expect.stringContaining('withJsonSchema(schema, json)'),
      }),
    );
    for (const member of [z.bigint(), z.date(), z.coerce.date()]) {
      expect(() => toJsonSchema(z.object({ member }))).toThrow(
        expect.objectContaining({
          code: 'schema_without_json_schema',
          subject: 'zod',
          message: expect.stringContaining('a codec'),
        }),
      );
    }
  });

  it('says that a bare JSON Schema goes through jsonSchema()', () => {
    for (const notASchema of [cityJson, null, undefined, 'text', {}]) {
      expect(() => toJsonSchema(notASchema as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument', subject: 'schema' }),
      );
    }
  });
});

describe('jsonSchema', () => {
  it('says its JSON Schema in both directions and takes every value without a validator', async () => {
    const City = jsonSchema<{ name: string }>(cityJson);
    expect(toJsonSchema(City)).toEqual(cityJson);
    expect(toJsonSchema(City, { direction: 'output' })).toEqual(cityJson);
    expect(await City['~standard'].validate({ name: 'Oslo' })).toEqual({ value: { name: 'Oslo' } });
    expect(City['~standard']).toMatchObject({ version: 1, vendor: 'vernal' });
  });

  it.each([
    ['at once', (issues: { message: string }[]) => issues],
    ['later', async (issues: { message: string }[]) => issues],
  ])('asks the validator, which may answer %s', async (_when, answer) => {
    const seen: unknown[] = [];
    const validator = {
      validate: (schema: unknown, value: unknown) => {
        seen.push(schema);
        return answer(value === 'good' ? [] : [{ message: 'bad' }]);
      },
    };
    const schema = jsonSchema<string>({ type: 'string' }, { validator });
    expect(await schema['~standard'].validate('good')).toEqual({ value: 'good' });
    expect(await schema['~standard'].validate(7)).toEqual({ issues: [{ message: 'bad' }] });
    expect(seen).toEqual([{ type: 'string' }, { type: 'string' }]);
  });

  it('refuses what is not an object', () => {
    for (const bad of [true, null, [], 'x']) {
      expect(() => jsonSchema(bad as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument', subject: 'schema' }),
      );
    }
  });
});

describe('withJsonSchema', () => {
  it('adds the schema and leaves validation to the library', async () => {
    const schema = withJsonSchema(v.object({ name: v.pipe(v.string(), v.toUpperCase()) }), cityJson);
    expect(toJsonSchema(schema)).toEqual(cityJson);
    expect(toJsonSchema(schema, { direction: 'output' })).toEqual(cityJson);
    expect(await schema['~standard'].validate({ name: 'oslo' })).toMatchObject({ value: { name: 'OSLO' } });
    expect((await schema['~standard'].validate({})).issues).toHaveLength(1);
    expect(schema['~standard'].vendor).toBe('valibot');
  });

  it('overrules the input side only, where the library can say the output side', () => {
    const schema = withJsonSchema(z.object({ n: z.number() }), { type: 'object', description: 'mine' });
    expect(toJsonSchema(schema)).toEqual({ type: 'object', description: 'mine' });
    expect(toJsonSchema(schema, { direction: 'output' })).toMatchObject({ properties: { n: { type: 'number' } } });
  });

  it('refuses what is no schema', () => {
    expect(() => withJsonSchema({} as never, cityJson)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'schema' }),
    );
    expect(() => withJsonSchema(v.string(), 'x' as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'json' }),
    );
  });
});
