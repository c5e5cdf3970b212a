import { connectMcp, mcpServer, mcpTool, streamableHttpTransport } from '@vernal/mcp';
import { type McpHttpServer, mcpConnectionsFrom, serveMcpHttp } from '@vernal/mcp/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const server = mcpServer({
  tools: [mcpTool({ name: 'who', execute: (_, { exchange }) => exchange.clientInfo ?? 'nobody' })],
});
let served: McpHttpServer;
beforeAll(async () => {
  served = await serveMcpHttp(server);
});
afterAll(async () => {
  await served.close();
  await server.close();
});

describe('a server is told who the client is', { timeout: 60_000 }, () => {
  test('by the name of the connection', async () => {
    await using connection = await connectMcp({ name: 'shop', transport: streamableHttpTransport(served.url) });
    const { content } = await connection.callTool('who');
    expect(content).toMatchObject([{ text: expect.stringContaining('"vernal-mcp-client - shop"') }]);
  });

  test('by name and version of the properties', async () => {
    await using connections = await mcpConnectionsFrom({
      name: 'app',
      version: '2.0.0',
      streamableHttp: { connections: { shop: { url: served.url.href } } },
    });
    const { content } = await connections.get('shop').callTool('who');
    const [text] = content.map((block) => (block.type === 'text' ? block.text : ''));
    expect(JSON.parse(text ?? '')).toEqual({ name: 'app - shop', version: '2.0.0', title: 'shop' });
  });
});
