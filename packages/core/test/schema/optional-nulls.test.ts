import { type AnySchemaWithJson, augmentTools, jsonSchema, schemaConverter, tool } from '@vernal/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const Item = z.object({
  keep: z.string(),
  omit: z.number().optional(),
  meta: z.object({ tag: z.string().optional() }).optional(),
});
const Nested = z.object({ id: z.string(), note: z.string().optional(), list: z.array(Item).optional() });
const REPLY = '{"id":"1","note":null,"list":[{"keep":"k","omit":null,"meta":{"tag":null}}]}';
const WANTED = { id: '1', list: [{ keep: 'k', meta: {} }] };

const Tree: z.ZodType = z.object({ name: z.string().optional(), children: z.array(z.lazy(() => Tree)).optional() });

const VARIANTS = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('a'), note: z.string().optional() }),
  z.object({ kind: z.literal('b'), note: z.null().optional() }),
]);

describe('null for an optional field that knows no null', () => {
  it.each<[string, AnySchemaWithJson, string, unknown]>([
    ['is left out, at any depth', Nested, REPLY, WANTED],
    ['is left out below a reference', Tree, '{"children":[{"name":null,"children":null}]}', { children: [{}] }],
    ['leaves room for the default', z.object({ n: z.number().default(3) }), '{"n":null}', { n: 3 }],
    [
      'is left out in what may be null',
      z.object({ a: Item.nullable() }),
      '{"a":{"keep":"k","omit":null}}',
      { a: { keep: 'k' } },
    ],
    [
      'is left out in the values of a record',
      z.record(z.string(), Item),
      '{"x":{"keep":"k","omit":null}}',
      { x: { keep: 'k' } },
    ],
    ['is left out in a tuple', z.tuple([z.string(), Item]), '["s",{"keep":"k","omit":null}]', ['s', { keep: 'k' }]],
    ['is left out in the variant it stands in', VARIANTS, '{"kind":"a","note":null}', { kind: 'a' }],
    ['stays in the variant that says null', VARIANTS, '{"kind":"b","note":null}', { kind: 'b', note: null }],
    ['stays where null is declared', z.object({ a: z.string().nullable() }), '{"a":null}', { a: null }],
    ['stays where null and nothing are declared', z.object({ a: z.string().nullish() }), '{"a":null}', { a: null }],
    ['stays where anything goes', z.object({ a: z.unknown().optional() }), '{"a":null}', { a: null }],
    ['stays where a literal is null', z.object({ a: z.literal([null, 1]).optional() }), '{"a":null}', { a: null }],
    ['stays in lists', z.array(z.string().nullable()), '[null,"a"]', [null, 'a']],
    [
      'stays in the keys nobody declared',
      jsonSchema({ type: 'object', properties: { a: { type: 'string' } } }),
      '{"__proto__":null,"x":null,"a":null}',
      JSON.parse('{"__proto__":null,"x":null}'),
    ],
  ])('%s', async (_, schema, text, value) => {
    expect(await schemaConverter(schema).convert(text)).toEqual(value);
  });

  it('is an issue for a required field', async () => {
    const converter = schemaConverter(z.object({ a: z.string() }));
    await expect((async () => converter.convert('{"a":null}'))()).rejects.toMatchObject({ code: 'structured_output' });
  });

  it('is left out by the JSON Schema alone, too', async () => {
    const schema = jsonSchema({
      type: 'object',
      $defs: {
        item: {
          type: 'object',
          // 'nullable' is how OpenAPI 3.0 says it.
          properties: {
            a: { type: 'integer' },
            b: { type: ['integer', 'null'] },
            c: { type: 'integer', nullable: true },
          },
        },
      },
      allOf: [{ properties: { must: { type: 'string' }, may: { type: 'string' } } }, { required: ['must'] }],
      properties: { list: { type: ['array', 'null'], items: { $ref: '#/$defs/item' } }, odd: { $ref: '#/$defs/none' } },
    });
    const text = '{"must":null,"may":null,"odd":null,"list":[{"a":null,"b":null,"c":null}]}';
    const kept = { must: null, odd: null, list: [{ b: null, c: null }] };
    expect(await schemaConverter(schema).convert(text)).toEqual(kept);
  });

  it('ends on schemas that lead to themselves', async () => {
    const schema = jsonSchema({
      $ref: '#/$defs/a',
      $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'object', properties: { x: { $ref: '#/$defs/a' } } }] } },
    });
    expect(await schemaConverter(schema).convert('{"x":{"x":{}}}')).toEqual({ x: { x: {} } });
    const deep = `${'{"x":'.repeat(50_000)}null${'}'.repeat(50_000)}`;
    expect(await schemaConverter(schema).convert(deep)).toBeTypeOf('object');
  });

  it('is left out of the arguments of a tool', async () => {
    const seen: unknown[] = [];
    const note = tool({ name: 'note', description: '', input: Nested, execute: (input) => void seen.push(input) });
    await note.call(REPLY);
    expect(seen).toEqual([WANTED]);
  });

  it('is left out of what augmentTools reads', async () => {
    const seen: unknown[] = [];
    const plain = tool({ name: 'plain', description: '', execute: () => 'ok' });
    const input = z.object({ why: z.string().optional() });
    const [augmented] = augmentTools([plain], { input, onArguments: (event) => void seen.push(event.arguments) });
    await augmented?.call('{"why":null}');
    expect(seen).toEqual([{}]);
  });
});
