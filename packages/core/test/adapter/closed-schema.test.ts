import { type JsonSchema, mapConverter, toJsonSchema } from '@vernal/core';
import { closedJsonSchema } from '@vernal/core/adapter';
import { expect, it } from 'vitest';
import { z } from 'zod';

const ANYTHING = { requireAll: true, accepts: () => true };

it('keeps a property whatever its name is', () => {
  const properties: JsonSchema = JSON.parse('{"__proto__":{"type":"string"},"required":{"type":"number"}}');
  const closed = closedJsonSchema({ type: 'object', properties }, ANYTHING);
  expect(Object.keys(Object(closed['properties']))).toEqual(['__proto__', 'required']);
  expect(closed['required']).toEqual(['__proto__', 'required']);
});

it('takes a property called properties for what it is', () => {
  const closed = closedJsonSchema(
    { type: 'object', properties: { properties: { type: 'object', properties: {} }, items: { type: 'string' } } },
    { ...ANYTHING, requireAll: false },
  );
  expect(closed).toEqual({
    type: 'object',
    properties: {
      properties: { type: 'object', properties: {}, additionalProperties: false },
      items: { type: 'string' },
    },
    additionalProperties: false,
  });
});

it('leaves constants and examples alone', () => {
  const only = { properties: { a: 1 }, oneOf: [] };
  expect(
    closedJsonSchema({ type: 'object', properties: { a: { const: only, examples: [only] } } }, ANYTHING),
  ).toMatchObject({
    properties: { a: { anyOf: [{ const: only, examples: [only] }, { type: 'null' }] } },
  });
});

it.each([
  ['a record', { type: 'object', additionalProperties: { type: 'number' } }],
  ['any map', mapConverter().jsonSchema ?? {}],
])('never closes %s at the top: a model that obeys would have nothing to say', (_, schema) => {
  expect(closedJsonSchema(schema, ANYTHING)).toEqual(schema);
});

it('lets nothing stand beside a reference', () => {
  const Node: z.ZodType = z.object({
    next: z
      .lazy(() => Node)
      .optional()
      .describe('The one after'),
  });
  const closed = closedJsonSchema(toJsonSchema(z.object({ first: Node, other: Node })), ANYTHING);
  expect(JSON.stringify(closed)).toContain('The one after');
  expect(JSON.stringify(closed)).not.toMatch(/"\$ref":"[^"]*",|,"\$ref"/);
  expect(closed['$schema']).toBeUndefined();
});

it('tells in words what is not sent, and not what says nothing', () => {
  const schema = toJsonSchema(
    z.object({ n: z.int().min(1), mail: z.email().describe('To whom'), word: z.string().max(9).describe('Short') }),
  );
  const closed = closedJsonSchema(schema, {
    requireAll: false,
    accepts: (keyword) => !['minimum', 'maximum', 'maxLength', 'pattern'].includes(keyword),
  });
  expect(closed['properties']).toEqual({
    n: { type: 'integer', description: '(minimum: 1)' },
    mail: { type: 'string', format: 'email', description: 'To whom' },
    word: { type: 'string', description: 'Short (maxLength: 9)' },
  });
});

it('does not change what it is given', () => {
  const schema = toJsonSchema(z.object({ a: z.object({ b: z.string().optional() }).optional() }));
  const before = structuredClone(schema);
  closedJsonSchema(schema, ANYTHING);
  expect(schema).toEqual(before);
});
