import { ChatClient } from '@vernal/client-chat';
import { type ChatModel, mapConverter } from '@vernal/core';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { OllamaChatModel } from '@vernal/model-ollama';
import { OpenAiChatModel, openAiChatOptions } from '@vernal/model-openai';
import { type MockServer, startMockServer } from '@vernal/testing/mock-server';
import { anthropicMessagesWire, ollamaChatWire, openAiChatWire } from '@vernal/testing/wires';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

type Json = Record<string, unknown>;

const Tree = z.object({
  name: z.string(),
  get children(): z.ZodArray<typeof Tree> {
    return z.array(Tree);
  },
});
const TREE = { name: 'a', children: [{ name: 'b', children: [] }] };

const providers = [
  {
    name: 'OpenAI',
    wire: openAiChatWire,
    make: (url: string): ChatModel =>
      new OpenAiChatModel({
        baseURL: `${url}/v1`,
        apiKey: 'k',
        defaultOptions: openAiChatOptions({ model: 'm', strict: true }),
      }),
    schemaOf: (body: Json): Json => Object(body['response_format']).json_schema.schema,
  },
  {
    name: 'Anthropic',
    wire: anthropicMessagesWire,
    make: (url: string): ChatModel => new AnthropicChatModel({ baseURL: url, apiKey: 'k', maxRetries: 0 }),
    schemaOf: (body: Json): Json => Object(body['output_config']).format.schema,
  },
  {
    name: 'Ollama',
    wire: ollamaChatWire,
    make: (url: string): ChatModel => new OllamaChatModel({ baseURL: url, defaultOptions: { model: 'm' } }),
    schemaOf: (body: Json): Json => Object(body['format']),
  },
];

/** Follows `#/a/b`. */
function resolved(root: Json, reference: string): unknown {
  return reference
    .slice(1)
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => Object(at)[key], root);
}

function* references(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, part] of Object.entries(schema)) {
    if (key === '$ref' && typeof part === 'string') yield part;
    else yield* references(part);
  }
}

describe.each(providers)('$name', ({ wire, make, schemaOf }) => {
  async function asked<T>(text: string, ask: (client: ChatClient) => Promise<T>): Promise<{ value: T; body: Json }> {
    let server: MockServer | undefined;
    try {
      server = await startMockServer([wire.call([text])]);
      const value = await ask(ChatClient.create(make(server.url)));
      return { value, body: Object(server.requests[0]?.json) };
    } finally {
      await server?.close();
    }
  }

  it('is handed the schema, and no word of it in the prompt', async () => {
    const Film = z.object({ title: z.string(), year: z.int() });
    const { value, body } = await asked('{"title":"Volver","year":2006}', (client) =>
      client.prompt('Which film?').call().entity(Film, { native: true }),
    );
    expect(value).toEqual({ title: 'Volver', year: 2006 });
    expect(schemaOf(body)).toMatchObject({ type: 'object', required: ['title', 'year'] });
    expect(Object.keys(Object(schemaOf(body)['properties']))).toEqual(['title', 'year']);
    expect(JSON.stringify(body['messages'])).toContain('Which film?');
    expect(JSON.stringify(body['messages'])).not.toContain('year');
  });

  it.each([
    ['a record', z.record(z.string(), z.int())],
    ['any map', mapConverter()],
  ])('%s is never closed to an empty object', async (_, wanted) => {
    const { value, body } = await asked('{"a":1}', (client) =>
      'convert' in wanted
        ? client.prompt('q').call().entity(wanted, { native: true })
        : client.prompt('q').call().entity(wanted, { native: true }),
    );
    expect(value).toEqual({ a: 1 });
    expect(schemaOf(body)).toMatchObject({ type: 'object' });
    expect(schemaOf(body)['additionalProperties']).not.toBe(false);
  });

  it.each([
    ['a recursion', Tree, JSON.stringify(TREE), TREE],
    ['a list of them', z.array(Tree), JSON.stringify({ answer: [TREE] }), [TREE]],
    ['an enum', z.enum(['red', 'green']), '{"answer":"red"}', 'red'],
    ['a number', z.number(), '{"answer":4.5}', 4.5],
  ])(
    '%s has an object at the top, references that lead somewhere, and comes back as it is',
    async (_, schema, text, value) => {
      const result = await asked(text, (client) =>
        client.prompt('q').call().entity<typeof schema>(schema, { native: true }),
      );
      expect(result.value).toEqual(value);
      const sent = schemaOf(result.body);
      expect(sent['type']).toBe('object');
      for (const reference of references(sent)) expect(resolved(sent, reference)).toBeTypeOf('object');
    },
  );
});
