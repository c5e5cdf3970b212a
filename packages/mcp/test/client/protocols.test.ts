import { tool } from '@vernal/core';
import { connectMcp, type McpConnection, mcpResource, mcpServer, mcpTools, streamableHttpTransport } from '@vernal/mcp';
import { type McpHttpServer, serveMcpHttp, stdioTransport } from '@vernal/mcp/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ownProgram } from '../server/spawn-own.js';
import { type ServedHttp, serveHttp } from './plain-server.mjs';
import { PLAIN } from './spawned-server.js';

const LIMIT = 60_000;
let ours: McpHttpServer;
let plain: ServedHttp;
beforeAll(async () => {
  const add = tool({
    name: 'add',
    input: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }, { progress }) => {
      progress?.({ progress: 1, total: 1 });
      return a + b;
    },
  });
  ours = await serveMcpHttp(mcpServer({ name: 'ours', tools: [add] }));
  plain = await serveHttp();
});
afterAll(async () => {
  await ours.close();
  await plain.close();
});

async function sum(connection: McpConnection): Promise<unknown> {
  const add = (await mcpTools(connection).toolCallbacks()).find(({ definition }) => definition.name === 'x_add');
  return await add?.call('{"a":20,"b":22}');
}

describe("protocol 'auto'", () => {
  test('speaks the newest with a server that has it, over HTTP', { timeout: LIMIT }, async () => {
    const transport = streamableHttpTransport(ours.url);
    await using connection = await connectMcp({ name: 'x', transport, protocol: 'auto', loggingLevel: 'info' });
    expect(connection.protocolVersion).toBe('2026-07-28');
    expect(connection.serverInfo?.name).toBe('ours');
    expect(await sum(connection)).toMatchObject({ text: '42' });
    await connection.ping();
    await connection.setLoggingLevel('debug');
    expect(await sum(connection)).toMatchObject({ text: '42' });
    await using pinned = await connectMcp({ name: 'x', transport, protocol: { pin: '2026-07-28' } });
    expect(await sum(pinned)).toMatchObject({ text: '42' });
  });

  test('speaks the newest with a server that has it, over stdio', { timeout: LIMIT }, async () => {
    const transport = stdioTransport({ command: process.execPath, args: [await ownProgram(), 'stdio'] });
    await using connection = await connectMcp({ name: 'x', transport, protocol: 'auto', requestTimeoutMs: LIMIT });
    expect(connection.protocolVersion).toBe('2026-07-28');
    expect((await connection.callTool('add', { a: 20, b: 22 })).structuredContent).toEqual({ sum: 42 });
  });

  test.each(['stdio', 'http'] as const)(
    'speaks the older with a server that has no other, over %s',
    { timeout: LIMIT },
    async (kind) => {
      const transport =
        kind === 'stdio'
          ? stdioTransport({ command: process.execPath, args: [PLAIN, 'stdio'] })
          : streamableHttpTransport(plain.url);
      await using connection = await connectMcp({ name: 'x', transport, protocol: 'auto', requestTimeoutMs: LIMIT });
      expect(connection.protocolVersion).toBe('2025-11-25');
      expect(await sum(connection)).toMatchObject({ text: '42' });
      const told: number[] = [];
      await connection.callTool('steps', {}, { onProgress: ({ progress }) => told.push(progress) });
      expect(told).toEqual([1, 2, 3]);
    },
  );
});

test('a resource is subscribed to, over both protocols, and again no more', { timeout: LIMIT }, async () => {
  const server = mcpServer({ name: 'notes', resources: [mcpResource({ uri: 'notes://one', read: () => 'one' })] });
  await using served = await serveMcpHttp(server);
  for (const protocol of ['legacy', 'auto'] as const) {
    const told: string[] = [];
    await using connection = await connectMcp({
      name: 'x',
      transport: streamableHttpTransport(served.url),
      protocol,
      handlers: { resourceUpdated: (uri) => told.push(uri) },
    });
    await connection.subscribeResource('notes://one');
    // The stream on which older servers tell may open a moment later.
    await expect
      .poll(
        async () => {
          await server.resourceUpdated('notes://one');
          return told[0];
        },
        { timeout: LIMIT },
      )
      .toBe('notes://one');
    await connection.unsubscribeResource('notes://one');
  }
});

test('a version that the server does not have is an error', { timeout: LIMIT }, async () => {
  const pinned = connectMcp({
    name: 'x',
    transport: streamableHttpTransport(plain.url),
    protocol: { pin: '2026-07-28' },
  });
  await expect(pinned).rejects.toMatchObject({ code: expect.stringMatching(/^mcp_/) });
});
