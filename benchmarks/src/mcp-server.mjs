// A server with one tool, in a process of its own: `node mcp-server.mjs <sdk|vernal> <stdio|http>`. Over HTTP it prints its address.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { tool } from '@vernal/core';
import { mcpServer } from '@vernal/mcp';
import { serveMcpHttp, serveMcpStdio } from '@vernal/mcp/node';
import { z } from 'zod';

const description = 'Adds';
const input = z.object({ a: z.number(), b: z.number() });

function sdkServer() {
  const server = new McpServer({ name: 'sums', version: '1.0.0' });
  server.registerTool('add', { description, inputSchema: input }, async ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  return server;
}

const vernalServer = () =>
  mcpServer({ name: 'sums', tools: [tool({ name: 'add', description, input, execute: ({ a, b }) => a + b })] });

async function sdkHttp() {
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    let transport = sessions.get(request.headers['mcp-session-id']);
    if (transport === undefined) {
      transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
      await sdkServer().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${http.address().port}/mcp`;
}

const [, , make, kind] = process.argv;
if (kind === 'stdio') {
  if (make === 'sdk') await sdkServer().connect(new StdioServerTransport());
  else await serveMcpStdio(vernalServer());
} else console.log(make === 'sdk' ? await sdkHttp() : String((await serveMcpHttp(vernalServer())).url));
