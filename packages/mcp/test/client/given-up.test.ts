import { createServer } from 'node:http';
import { connectMcp, type McpConnection, McpConnections, mcpTools, streamableHttpTransport } from '@vernal/mcp';
import { afterEach, describe, expect, test } from 'vitest';
import { serverOf } from './in-process-server.js';
import { answerOf } from './scripted-server.mjs';

const LIMIT = 60_000;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
}, LIMIT);

/** A server that opens the stream of each call and says nothing there, but for the tool 'good'. */
async function silentServer(): Promise<{ readonly connection: McpConnection; readonly streams: Set<object> }> {
  const streams = new Set<object>();
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message = JSON.parse(Buffer.concat(chunks).toString());
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.method !== 'tools/call' || message.params.name === 'good') {
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(answerOf('odd', message)));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // With an event that has an id, the official transport would come back for the rest.
    response.write('id: 1\ndata: \n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const connection = await connectMcp({
    name: 's',
    transport: streamableHttpTransport(`http://127.0.0.1:${port}/mcp`),
  });
  closing.push(async () => {
    await connection.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return { connection, streams };
}

describe('a request that was given up', () => {
  test('by its time-out, has its stream closed', { timeout: LIMIT }, async () => {
    const { connection, streams } = await silentServer();
    const calls = Array.from({ length: 20 }, () => connection.callTool('t', {}, { timeoutMs: 2_000 }));
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
    await expect.poll(() => streams.size, { timeout: LIMIT }).toBe(0);
    expect((await connection.callTool('good')).content).toHaveLength(1);
  });

  test('by an abort, has its stream closed, and no other', { timeout: LIMIT }, async () => {
    const { connection, streams } = await silentServer();
    const end = new AbortController();
    const call = connection
      .callTool('t', {}, { signal: end.signal, timeoutMs: LIMIT })
      .catch((thrown: unknown) => thrown);
    const other = connection.callTool('t', {}, { timeoutMs: LIMIT }).catch((thrown: unknown) => thrown);
    await expect.poll(() => streams.size, { timeout: LIMIT }).toBe(2);
    end.abort();
    expect(await call).toMatchObject({ code: 'aborted' });
    await expect.poll(() => streams.size, { timeout: LIMIT }).toBe(1);
    await connection.close();
    expect(await other).toMatchObject({ code: 'invalid_state' });
  });
});

test('one signal serves many calls and many servers without a warning', { timeout: LIMIT }, async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on('warning', note);
  closing.push(async () => process.off('warning', note));
  const { signal } = new AbortController();
  const tool = { name: 't', inputSchema: { type: 'object' } };
  const servers = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`s${i}`, serverOf([tool])]));
  await using connections = new McpConnections(servers);
  expect(await connections.connect({ signal })).toEqual([]);
  expect(await mcpTools(connections).toolCallbacks({ signal })).toHaveLength(25);
  const one = connections.get('s0');
  await Promise.all(Array.from({ length: 50 }, () => one.callTool('t', {}, { signal })));
  await Promise.all(Array.from({ length: 50 }, () => one.listTools({ signal, fresh: true })));
  // Warnings are told a tick later.
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});
