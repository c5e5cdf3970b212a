import { ChatClient } from '@vernal/client-chat';
import { AnthropicChatModel } from '@vernal/model-anthropic';
import { startMockServer } from '@vernal/testing/mock-server';
import { anthropicMessagesWire } from '@vernal/testing/wires';
import { expect, it } from 'vitest';
import { z } from 'zod';

const Film = z.object({
  title: z.string().max(80),
  year: z.int().min(1888).describe('Of the first showing'),
  code: z
    .string()
    .regex(/^(?!x)/)
    .optional(),
  cast: z.array(z.object({ name: z.string() })).max(9),
});

it('Anthropic gets a schema that its structured outputs take, and the answer is held to the whole one', async () => {
  const answers = [1987, 1700].map((year) => JSON.stringify({ title: 'T', year, cast: [{ name: 'n' }] }));
  const server = await startMockServer(answers.map((text) => anthropicMessagesWire.call([text])));
  try {
    const model = new AnthropicChatModel({ baseURL: server.url, apiKey: 'k', maxRetries: 0 });
    const ask = (): Promise<unknown> => ChatClient.create(model).prompt('q').call().entity(Film, { native: true });
    expect(await ask()).toEqual({ title: 'T', year: 1987, cast: [{ name: 'n' }] });
    await expect(ask()).rejects.toMatchObject({ code: 'structured_output', issues: [{ path: ['year'] }] });
    expect(server.requests[0]?.json).toMatchObject({ output_config: { format: { type: 'json_schema' } } });
    expect(Reflect.get(Object(server.requests[0]?.json), 'output_config').format.schema).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string', description: '(maxLength: 80)' },
        year: { type: 'integer', description: 'Of the first showing (minimum: 1888)' },
        code: { type: 'string', description: '(pattern: "^(?!x)")' },
        cast: {
          type: 'array',
          description: '(maxItems: 9)',
          items: {
            type: 'object',
            properties: { name: { type: 'string' } },
            required: ['name'],
            additionalProperties: false,
          },
        },
      },
      required: ['title', 'year', 'cast'],
      additionalProperties: false,
    });
  } finally {
    await server.close();
  }
});

const Category = z.object({
  name: z.string(),
  get children() {
    return z.array(Category).max(3);
  },
});

it('a schema that holds itself arrives with its definitions, and the answer is read by it', async () => {
  const tree = { name: 'a', children: [{ name: 'b', children: [] }] };
  await using server = await startMockServer([anthropicMessagesWire.call([JSON.stringify(tree)])]);
  const model = new AnthropicChatModel({ baseURL: server.url, apiKey: 'k', maxRetries: 0 });
  expect(await ChatClient.create(model).prompt('q').call().entity(Category, { native: true })).toEqual(tree);
  const { schema } = Reflect.get(Object(server.requests[0]?.json), 'output_config').format;
  const text = JSON.stringify(schema);
  const [, reference] = /"\$ref":"#([^"]*)"/.exec(text) ?? [];
  const node = String(reference)
    .split('/')
    .slice(1)
    .reduce((part: unknown, name) => Reflect.get(Object(part), name), schema);
  expect(node).toMatchObject({ type: 'object', required: ['name', 'children'], additionalProperties: false });
  expect(text).not.toContain('maxItems"');
});
