import { ChatClient } from '@vernal/client-chat';
import { type JsonSchema, Prompt, tool } from '@vernal/core';
import { OpenAiChatModel, openAiChatOptions } from '@vernal/model-openai';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { openAiChatWire } from '@vernal/testing/wires';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

let server: MockServer | undefined;
afterEach(async () => {
  await server?.close();
});

async function model(answer: string): Promise<OpenAiChatModel> {
  server = await startMockServer([openAiChatWire.call([answer])]);
  return new OpenAiChatModel({
    baseURL: `${server.url}/v1`,
    apiKey: 'k',
    defaultOptions: openAiChatOptions({ strict: true }),
  });
}

interface Body {
  readonly response_format: { readonly json_schema: { readonly strict: boolean; readonly schema: JsonSchema } };
  readonly tools: readonly [{ readonly function: { readonly strict: boolean; readonly parameters: JsonSchema } }];
}

function body(): Body {
  return server?.requests[0]?.json as Body;
}

async function sentSchema(schema: JsonSchema): Promise<JsonSchema> {
  await (await model('{}')).call(new Prompt('q', { outputSchema: schema }));
  const { schema: sent, strict } = body().response_format.json_schema;
  expect(strict).toBe(true);
  return sent;
}

/** The objects in a schema that are not as strict mode wants them. */
function* looseObjects(part: unknown): Generator<unknown> {
  if (typeof part !== 'object' || part === null) return;
  const { properties, required, additionalProperties } = part as Record<string, unknown>;
  if (typeof properties === 'object' && properties !== null && !Array.isArray(part)) {
    const keys = Object.keys(properties).sort();
    if (JSON.stringify([...(required as string[])].sort()) !== JSON.stringify(keys)) yield part;
    if (additionalProperties !== false) yield part;
  }
  for (const child of Object.values(part)) yield* looseObjects(child);
}

const Item = z.object({
  keep: z.string(),
  omit: z.number().optional().describe('Left out when unknown'),
  meta: z.object({ tag: z.string().optional() }).optional().describe('More'),
});
const Nested = z.object({
  id: z.string().describe('Its key'),
  note: z.string().optional(),
  list: z.array(Item).optional(),
  gone: z.string().nullable(),
});
const REPLY = '{"id":"1","gone":null,"note":null,"list":[{"keep":"k","omit":null,"meta":{"tag":null}}]}';
const WANTED = { id: '1', gone: null, list: [{ keep: 'k', meta: {} }] };

describe('a schema in strict mode', () => {
  it('names every property as required, lets the optional ones be null, and gives what was declared', async () => {
    const client = ChatClient.create(await model(REPLY));
    expect(await client.prompt('q').call().entity(Nested, { native: true })).toEqual(WANTED);
    const { schema } = body().response_format.json_schema;
    expect([...looseObjects(schema)]).toEqual([]);
    expect(schema).toMatchObject({
      type: 'object',
      required: ['id', 'note', 'list', 'gone'],
      properties: {
        id: { type: 'string', description: 'Its key' },
        note: { type: ['string', 'null'] },
        list: {
          anyOf: [
            {
              type: 'array',
              items: {
                properties: {
                  omit: { type: ['number', 'null'], description: 'Left out when unknown' },
                  meta: { description: 'More', anyOf: [{ type: 'object' }, { type: 'null' }] },
                },
              },
            },
            { type: 'null' },
          ],
        },
      },
    });
  });

  it('of a tool is the same', async () => {
    const input = z.object({ city: z.string(), unit: z.enum(['C', 'F']).optional() });
    const weather = tool({ name: 'weather', description: 'd', input, execute: () => 'ok' });
    const nothing = tool({ name: 'nothing', description: 'd', execute: () => 'ok' });
    const prompt = new Prompt('q', openAiChatOptions({ tools: [weather, nothing] }));
    await (await model('x')).call(prompt);
    expect(body().tools).toMatchObject([
      {
        function: {
          strict: true,
          parameters: {
            required: ['city', 'unit'],
            properties: { unit: { anyOf: [{ type: 'string', enum: ['C', 'F'] }, { type: 'null' }] } },
            additionalProperties: false,
          },
        },
      },
      {
        function: {
          strict: true,
          parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
        },
      },
    ]);
    expect(weather.definition.inputSchema['required']).toEqual(['city']);
  });

  it('reaches definitions, lists of types and variants, and drops what strict mode does not know', async () => {
    const leaf = { type: 'object', properties: { v: { type: 'integer', default: 3 } } };
    const sent = await sentSchema({
      type: 'object',
      properties: {
        list: { type: ['array', 'null'], items: leaf },
        ref: { $ref: '#/$defs/leaf', description: 'One' },
        both: { oneOf: [leaf, { type: 'null' }] },
        any: {},
        constructor: { type: 'string' },
      },
      $defs: { leaf },
    });
    expect([...looseObjects(sent)]).toEqual([]);
    const closed = {
      type: 'object',
      properties: { v: { type: ['integer', 'null'], description: '(default: 3)' } },
      required: ['v'],
      additionalProperties: false,
    };
    expect(sent).toEqual({
      type: 'object',
      properties: {
        list: { type: ['array', 'null'], items: closed },
        ref: { description: 'One', anyOf: [{ $ref: '#/$defs/leaf' }, { type: 'null' }] },
        both: { anyOf: [closed, { type: 'null' }] },
        any: {},
        constructor: { type: ['string', 'null'] },
      },
      required: ['list', 'ref', 'both', 'any', 'constructor'],
      additionalProperties: false,
      $defs: { leaf: closed },
    });
  });

  it('leaves to the provider what it has no words for: open records', async () => {
    const open = { type: 'object', additionalProperties: { type: 'number' } };
    const sent = await sentSchema({ type: 'object', properties: { open }, required: ['open'] });
    expect(sent['properties']).toEqual({ open });
  });

  it('has an object at the top, whatever is wanted', async () => {
    const client = ChatClient.create(await model('{"answer":[{"keep":"k","omit":null,"meta":null}]}'));
    expect(await client.prompt('q').call().entity(z.array(Item), { native: true })).toEqual([{ keep: 'k' }]);
    const { schema } = body().response_format.json_schema;
    expect(schema).toMatchObject({ type: 'object', required: ['answer'], properties: { answer: { type: 'array' } } });
    expect([...looseObjects(schema)]).toEqual([]);
  });

  it('is sent as it is without strict', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    server = await startMockServer([openAiChatWire.call(['{}'])]);
    const lax = new OpenAiChatModel({ baseURL: `${server.url}/v1`, apiKey: 'k' });
    await lax.call(new Prompt('q', { outputSchema: schema }));
    expect(body().response_format.json_schema).toMatchObject({ strict: false, schema });
  });
});
