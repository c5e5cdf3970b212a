import { connectMcp, type McpConnection } from '@vernal/mcp';
import { describe, expect, test } from 'vitest';
import { serverOf } from './in-process-server.js';

const LIMIT = 60_000;
const EVIL = '^(a+)+$';
const TEXT = `${'a'.repeat(60)}!`;

async function connected(outputSchema: object, structuredContent: unknown): Promise<McpConnection> {
  const tool = { name: 't', inputSchema: { type: 'object' }, outputSchema };
  const transport = serverOf([tool], { content: [], structuredContent });
  const connection = await connectMcp({ name: 's', transport, requestTimeoutMs: LIMIT });
  await connection.listTools();
  return connection;
}

describe('a schema of a server that wants to keep the host busy', () => {
  test.each([
    ['a pattern', { properties: { x: { pattern: EVIL } } }, { x: TEXT }],
    ['one among examples', { properties: { x: { $ref: '#/examples/0' } }, examples: [{ pattern: EVIL }] }, { x: TEXT }],
    ['one as a default', { properties: { x: { $ref: '#/default' } }, default: { pattern: EVIL } }, { x: TEXT }],
    [
      'one for names',
      {
        properties: { x: { $ref: '#/anyOf/1/const' } },
        anyOf: [true, { const: { patternProperties: { [EVIL]: true } } }],
      },
      { x: { [TEXT]: 1 } },
    ],
    ['one that must not fit', { properties: { x: { not: { pattern: EVIL } } } }, { x: TEXT }],
  ])('has its patterns passed over: %s', { timeout: LIMIT }, async (_, schema, content) => {
    await using connection = await connected({ type: 'object', ...schema }, content);
    expect((await connection.callTool('t')).structuredContent).toEqual(content);
  });

  test('is given up: references that double', { timeout: LIMIT }, async () => {
    const $defs: Record<string, object> = { d60: { type: 'object' } };
    for (let i = 0; i < 60; i++) {
      const next = { $ref: `#/$defs/d${i + 1}` };
      $defs[`d${i}`] = { allOf: [next, next] };
    }
    await using connection = await connected({ $ref: '#/$defs/d0', $defs }, {});
    await expect(connection.callTool('t')).rejects.toMatchObject({
      code: 'mcp_response',
      message: expect.stringMatching(/too many steps/),
    });
  });

  test('is given up: many items that must differ', { timeout: LIMIT }, async () => {
    const x = Array.from({ length: 15_000 }, (_, i) => [[[[[i]]]]]);
    await using connection = await connected({ type: 'object', properties: { x: { uniqueItems: true } } }, { x });
    await expect(connection.callTool('t')).rejects.toThrow(/too many steps/);
  });

  test('is none when there is only much', { timeout: LIMIT }, async () => {
    const rows = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] }));
    const row = {
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: 'string' }, tags: { items: { enum: ['a', 'b'] } } },
      required: ['id', 'name'],
      additionalProperties: false,
    };
    const schema = { type: 'object', properties: { rows: { type: 'array', items: row } }, required: ['rows'] };
    await using connection = await connected(schema, { rows });
    expect((await connection.callTool('t')).structuredContent).toEqual({ rows });
  });
});
