// A call of a tool of another process, over stdio and over HTTP: the official SDK at both ends, and ours at either or both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { connectMcp, mcpTools, streamableHttpTransport } from '@vernal/mcp';
import { stdioTransport } from '@vernal/mcp/node';
import { compare, each } from './measure.mjs';

const SERVER = fileURLToPath(new URL('./mcp-server.mjs', import.meta.url));

/** How many calls are under way at once in the second table. */
const AT_ONCE = 20;

async function httpServer(make) {
  const child = spawn(process.execPath, [SERVER, make, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  return { url, close: () => child.kill() };
}

async function sdkClient(transport) {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(transport);
  await client.listTools();
  return { call: () => client.callTool({ name: 'add', arguments: { a: 20, b: 22 } }), close: () => client.close() };
}

async function vernalClient(transport) {
  const connection = await connectMcp({ name: 'sums', transport });
  const [add] = await mcpTools(connection).toolCallbacks();
  return { call: () => add.call('{"a":20,"b":22}'), close: () => connection.close() };
}

const together = (operation) => async (count) => {
  for (let i = 0; i < count; i += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, operation));
};

export async function mcpCall() {
  const rows = [];
  for (const kind of ['stdio', 'http']) {
    const open = [];
    const ends = {};
    for (const server of ['sdk', 'vernal']) {
      let transports;
      if (kind === 'stdio') {
        const program = { command: process.execPath, args: [SERVER, server, 'stdio'] };
        transports = { sdk: new StdioClientTransport(program), vernal: stdioTransport(program) };
      } else {
        const served = await httpServer(server);
        open.push(served);
        const { url } = served;
        transports = { sdk: new StreamableHTTPClientTransport(new URL(url)), vernal: streamableHttpTransport(url) };
      }
      ends[`sdk ${server}`] = await sdkClient(transports.sdk);
      ends[`vernal ${server}`] = await vernalClient(transports.vernal);
    }
    const contestants = (way) => ({
      'floor: SDK client, SDK server': way(ends['sdk sdk'].call),
      'vernal client, SDK server': way(ends['vernal sdk'].call),
      'SDK client, vernal server': way(ends['sdk vernal'].call),
      'vernal client, vernal server': way(ends['vernal vernal'].call),
    });
    const options = { operations: 200, rounds: 15, warmUps: 3, by: 'wall', weighed: 0 };
    rows.push(...(await compare(`MCP tool call over ${kind}`, contestants(each), options)));
    rows.push(...(await compare(`MCP tool calls over ${kind}, ${AT_ONCE} at once`, contestants(together), options)));
    for (const { close } of Object.values(ends)) await close();
    for (const { close } of open) close();
  }
  return rows;
}
