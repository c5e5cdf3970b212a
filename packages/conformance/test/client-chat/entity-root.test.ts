import { ChatClient, StructuredOutputValidationAdvisor } from '@vernal/client-chat';
import { type AnySchemaWithJson, type JsonSchema, jsonSchema } from '@vernal/core';
import { ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.js';

const Names = jsonSchema({
  type: 'array',
  items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
});
const Colour = jsonSchema({ enum: ['red', 'green'] });
const Shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('dot') }),
  z.object({ kind: z.literal('line'), answer: z.number() }),
]);
const Tree = jsonSchema({
  $ref: '#/$defs/tree',
  $defs: {
    tree: {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
    },
  },
});

/** The key that the value stands under, of a schema with one property. */
function wrapper(schema: JsonSchema | null | undefined): string {
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
  const [key = '', ...more] = Object.keys(Object(schema?.['properties']));
  expect(more).toEqual([]);
  expect(schema?.['required']).toEqual([key]);
  return key;
}

async function keyFor(schema: AnySchemaWithJson): Promise<string> {
  const model = new ScriptedChatModel(['no JSON']);
  await expect(ChatClient.create(model).prompt('q').call().entity(schema, { native: true })).rejects.toThrow();
  return wrapper(model.prompts[0]?.options.outputSchema);
}

describe.each<[string, AnySchemaWithJson, string, unknown]>([
  ['a list', Names, '[{"name":"a"},{"name":"b"}]', [{ name: 'a' }, { name: 'b' }]],
  ['an enum', Colour, '"red"', 'red'],
  ['a number', jsonSchema({ type: 'number' }), '4.5', 4.5],
  ['variants of objects', Shape, '{"kind":"line","answer":3}', { kind: 'line', answer: 3 }],
  ['a reference', Tree, '{"name":"a","children":[{"name":"b"}]}', { name: 'a', children: [{ name: 'b' }] }],
  ['an object or null', z.object({ answer: z.string() }).nullable(), '{"answer":"x"}', { answer: 'x' }],
])('%s at the top', (_, schema, text, value) => {
  it('is asked for in words as it is', async () => {
    for (const written of [text, `\`\`\`json\n${text}\n\`\`\``]) {
      const model = new ScriptedChatModel([written, { text: written, chunks: 'char' }]);
      const { prompt } = { prompt: () => ChatClient.create(model).prompt('q') };
      expect(await prompt().call().entity(schema)).toEqual(value);
      expect(await prompt().stream().entity(schema).result()).toEqual(value);
    }
  });

  it('is wrapped in an object for the provider and nowhere else', async () => {
    const key = await keyFor(schema);
    for (const written of [
      `{"${key}":${text}}`,
      ` {\n "${key}" : ${text} \n}\n`,
      `<think>no</think>{"${key}":${text}}`,
    ]) {
      const model = new ScriptedChatModel([written, { text: written, chunks: 'char' }, written]);
      const client = ChatClient.create(model);
      expect(await client.prompt('q').call().entity(schema, { native: true })).toEqual(value);
      const stream = client.prompt('q').stream().entity(schema, { native: true });
      const snapshots = await collect(stream);
      expect(await stream.result()).toEqual(value);
      expect(snapshots.at(-1)).toEqual(value);
      expect(new Set(snapshots.map((one) => JSON.stringify(one))).size).toBe(snapshots.length);
      expect(await client.prompt('q').call().entity(schema, { native: true, validate: true })).toEqual(value);
    }
  });

  it('is read from a model that leaves the object out', async () => {
    const model = new ScriptedChatModel([text, { text, chunks: 'char' }]);
    const client = ChatClient.create(model);
    expect(await client.prompt('q').call().entity(schema, { native: true })).toEqual(value);
    const stream = client.prompt('q').stream().entity(schema, { native: true });
    expect((await collect(stream)).at(-1)).toEqual(value);
    expect(await stream.result()).toEqual(value);
  });
});

it('keeps numbers exact, and says what is wrong with the value', async () => {
  const numbers = z.array(z.number());
  const key = await keyFor(numbers);
  const ask = (text: string): Promise<unknown> =>
    ChatClient.create(new ScriptedChatModel([text]))
      .prompt('q')
      .call()
      .entity(numbers, { native: true });
  await expect(ask(`{"${key}":[1,12345678901234567890]}`)).rejects.toMatchObject({
    code: 'structured_output',
    issues: [{ path: [1] }],
  });
  await expect(ask(`{"${key}":[1,`)).rejects.toMatchObject({ code: 'structured_output' });
  await expect(ask(`{"${key}":["1"]}`)).rejects.toMatchObject({ issues: [{ path: [0] }] });
});

it('keeps references right inside the object', async () => {
  const schema = jsonSchema({
    type: 'array',
    items: { anyOf: [{ $ref: '#' }, { $ref: '#/$defs/leaf' }, { const: { $ref: '#' } }] },
    $defs: { leaf: { type: 'string' } },
  });
  const model = new ScriptedChatModel(['["a",["b"]]']);
  expect(await ChatClient.create(model).prompt('q').call().entity(schema, { native: true })).toEqual(['a', ['b']]);
  const sent = model.prompts[0]?.options.outputSchema;
  const key = wrapper(sent);
  expect(sent).toMatchObject({
    $defs: { leaf: { type: 'string' } },
    properties: {
      [key]: {
        items: { anyOf: [{ $ref: `#/properties/${key}` }, { $ref: '#/$defs/leaf' }, { const: { $ref: '#' } }] },
      },
    },
  });
});

it('leaves objects as they are', async () => {
  const model = new ScriptedChatModel(['{"answer":{"answer":1}}']);
  const schema = jsonSchema({ type: 'object', properties: { answer: { type: 'object' } } });
  const value = await ChatClient.create(model).prompt('q').call().entity(schema, { native: true });
  expect(value).toEqual({ answer: { answer: 1 } });
  expect(model.prompts[0]?.options.outputSchema).toEqual(schema['~standard'].jsonSchema.input({ target: 'draft-07' }));
});

it('is known to the validation advisor, too', async () => {
  const key = await keyFor(Names);
  const model = new ScriptedChatModel([`{"${key}":[{"name":"a"}]}`]);
  const advisor = new StructuredOutputValidationAdvisor({ schema: Names });
  const answer = ChatClient.create(model).prompt('q').advisors(advisor).call();
  expect(await answer.entity(Names, { native: true })).toEqual([{ name: 'a' }]);
});
