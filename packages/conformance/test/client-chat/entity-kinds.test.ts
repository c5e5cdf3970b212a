import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { ChatClient } from '@vernal/client-chat';
import { type AnySchemaWithJson, jsonSchema, withJsonSchema } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import { ScriptedChatModel } from '@vernal/testing';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.js';

const Day = z.codec(z.iso.date(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString().slice(0, 10),
});
const Tree = z.object({
  name: z.string(),
  get children(): z.ZodOptional<z.ZodArray<typeof Tree>> {
    return z.array(Tree).optional();
  },
});
const Shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), radius: z.number() }),
  z.object({ kind: z.literal('square'), side: z.number() }),
]);
const CITY = {
  type: 'object',
  properties: { city: { type: 'string' }, size: { enum: ['S', 'L'] } },
  required: ['city'],
};

interface Kind {
  readonly schema: AnySchemaWithJson;
  readonly text: string;
  readonly value: unknown;
  /** Text that the schema refuses. */
  readonly bad: string;
}

const kinds: Record<string, Kind> = {
  'an object of zod': {
    schema: z.object({ actor: z.string(), movies: z.array(z.string()) }),
    text: '{"actor":"Tom Hanks","movies":["Big"]}',
    value: { actor: 'Tom Hanks', movies: ['Big'] },
    bad: '{"actor":"Tom Hanks"}',
  },
  'an object of valibot': {
    schema: toStandardJsonSchema(v.object({ actor: v.string(), year: v.optional(v.number(), 1999) })),
    text: '{"actor":"x"}',
    value: { actor: 'x', year: 1999 },
    bad: '{"actor":1}',
  },
  'a schema that is told its JSON Schema': {
    schema: withJsonSchema(
      v.pipe(
        v.object({ n: v.string() }),
        v.transform(({ n }) => Number(n)),
      ),
      {
        type: 'object',
        properties: { n: { type: 'string' } },
      },
    ),
    text: '{"n":"12"}',
    value: 12,
    bad: '{"n":12}',
  },
  'a JSON Schema with a validator': {
    schema: jsonSchema(CITY, { validator: jsonSchemaValidator() }),
    text: '{"city":"Delft","size":"S"}',
    value: { city: 'Delft', size: 'S' },
    bad: '{"city":"Delft","size":"M"}',
  },
  'a list': {
    schema: z.array(Shape).max(2),
    text: '[{"kind":"circle","radius":1}]',
    value: [{ kind: 'circle', radius: 1 }],
    bad: '[{}]',
  },
  'a tuple': { schema: z.tuple([z.string(), z.int()]), text: '["a",1]', value: ['a', 1], bad: '["a",1.5]' },
  'a map': { schema: z.record(z.string(), z.int()), text: '{"b":2,"a":1}', value: { b: 2, a: 1 }, bad: '{"b":"2"}' },
  'an enum': { schema: z.enum(['red', 'green']), text: '"green"', value: 'green', bad: '"blue"' },
  'a text': { schema: z.string().min(2), text: '"a {\\"b\\": 1,}"', value: 'a {"b": 1,}', bad: '"a"' },
  'a truth': { schema: z.boolean(), text: 'true', value: true, bad: '"true"' },
  'a union': {
    schema: z.object({ shape: Shape }),
    text: '{"shape":{"kind":"square","side":2}}',
    value: { shape: { kind: 'square', side: 2 } },
    bad: '{"shape":{"kind":"square","radius":2}}',
  },
  'a recursion': {
    schema: Tree,
    text: '{"name":"a","children":[{"name":"b","children":[{"name":"c"}]}]}',
    value: { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] },
    bad: '{"name":"a","children":[{"name":"b","children":[{}]}]}',
  },
  'a list of recursions': {
    schema: z.array(Tree),
    text: '[{"name":"a","children":[{"name":"b"}]}]',
    value: [{ name: 'a', children: [{ name: 'b' }] }],
    bad: '[{"name":"a","children":[{}]}]',
  },
  'a date': {
    schema: z.object({ at: Day }),
    text: '{"at":"2006-03-17"}',
    value: { at: new Date('2006-03-17') },
    bad: '{"at":"soon"}',
  },
};

describe.each(Object.entries(kinds))('%s', (_, { schema, text, value, bad }) => {
  it.each([false, true])(
    'is an entity of a call and of a stream, alone and after a mistake (native: %s)',
    async (native) => {
      const sloppy = `<think>Hm, {"a":</think>Here you are:\n\`\`\`json\n${text}\n\`\`\`\nAnything else?`;
      for (const written of [text, sloppy]) {
        const model = new ScriptedChatModel([written, { text: written, chunks: 'char' }, bad, written]);
        const client = ChatClient.create(model);
        expect(await client.prompt('q').call().entity(schema, { native })).toEqual(value);
        const stream = client.prompt('q').stream().entity(schema, { native });
        for (const snapshot of await collect(stream)) expect(snapshot).toBeDefined();
        expect(await stream.result()).toEqual(value);
        const { entity, response } = await client.prompt('q').call().responseEntity(schema, { native, validate: true });
        expect(entity).toEqual(value);
        expect(response.result?.output.text).toBe(written);
        const sent = model.prompts[0]?.options.outputSchema;
        expect(sent?.['type']).toBe(native ? 'object' : undefined);
        expect(model.prompts[3]?.messages.map(({ type }) => type)).toEqual(['user', 'assistant', 'user']);
        model.assertComplete();
      }
      await expect(
        ChatClient.create(new ScriptedChatModel([bad]))
          .prompt('q')
          .call()
          .entity(schema, { native }),
      ).rejects.toMatchObject({ code: 'structured_output', rawText: bad, issues: [{ message: expect.any(String) }] });
    },
  );
});

it('the type of an entity is that of its schema', async () => {
  const { prompt } = { prompt: () => ChatClient.create(new ScriptedChatModel(['{"at":"2006-03-17"}'])).prompt('q') };
  const entity = await prompt()
    .call()
    .entity(z.object({ at: Day }));
  expectTypeOf(entity).toEqualTypeOf<{ at: Date }>();
  const stream = prompt()
    .stream()
    .entity(z.object({ at: Day }));
  expectTypeOf(stream.result).returns.resolves.toEqualTypeOf<{ at: Date }>();
  // What has arrived so far is what the model writes.
  expect(await collect(stream)).toEqual([{ at: '2' }, { at: '2006-03-17' }].slice(-1));
});

it('a union at the top is asked for in full, with its descriptions', async () => {
  const Answer = z.union([z.object({ found: z.string().describe('Where it is') }), z.object({ reason: z.string() })]);
  const model = new ScriptedChatModel(['{"reason":"lost"}']);
  expect(await ChatClient.create(model).prompt('Where?').call().entity(Answer)).toEqual({ reason: 'lost' });
  const asked = model.prompts[0]?.userMessage.text ?? '';
  expect(asked.startsWith('Where?\n')).toBe(true);
  for (const word of ['"found"', '"reason"', 'Where it is', 'RFC 8259']) expect(asked).toContain(word);
});
