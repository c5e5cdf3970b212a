import {
  inMemoryEventStore,
  type McpHttpHandler,
  type McpHttpOptions,
  mcpHttpHandler,
  mcpServer,
  mcpTool,
} from '@vernal/mcp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectClient } from './connect-client.js';
import { notesServer } from './notes-server.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of open.splice(0).reverse()) await close();
});

function initialize(protocolVersion = '2025-11-25'): object {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}

function request(method: string, headers: Record<string, string> = {}, body?: unknown): Request {
  return new Request('http://localhost/mcp', {
    method,
    headers: {
      host: 'localhost',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    },
    ...(body === undefined ? undefined : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

async function session(handler: McpHttpHandler): Promise<Record<string, string>> {
  const response = await handler.fetch(request('POST', {}, initialize()));
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

function notes(options: McpHttpOptions): McpHttpHandler {
  const server = notesServer();
  open.push(() => server.close());
  return mcpHttpHandler(server, options);
}

describe('without sessions', () => {
  it('any process answers any request, nothing is kept, and nobody can be asked', async () => {
    const [one, other] = [notes({ mode: 'stateless' }), notes({ mode: 'stateless' })];
    let count = 0;
    const balanced: McpHttpHandler = {
      ...one,
      fetch: (...args) => {
        count += 1;
        return (count % 2 === 0 ? one : other).fetch(...args);
      },
    };
    const client = await connectClient(balanced, 'legacy');
    open.push(() => client.close());
    expect(client.transport?.sessionId).toBeUndefined();
    for (const text of ['a', 'b', 'c'])
      expect((await client.callTool({ name: 'echo', arguments: { text } })).content).toEqual([{ type: 'text', text }]);
    const asked = await client.callTool({ name: 'deploy', arguments: { to: 'prod' } });
    expect(asked.isError).toBe(true);
    expect(JSON.stringify(asked.content)).toContain('does not offer elicitation');
    expect((await one.fetch(request('GET'))).status).toBe(405);
  });
});

describe('sessions', () => {
  it('end when they were idle too long', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const handler = notes({ sessionIdleMs: 1_000 });
    const old = await session(handler);
    vi.setSystemTime(Date.now() + 999);
    await session(handler);
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    expect((await handler.fetch(request('POST', old, list))).status).toBe(200);
    vi.setSystemTime(Date.now() + 1_001);
    await session(handler);
    expect((await handler.fetch(request('POST', old, list))).status).toBe(404);
  });

  it('go on where a stream broke off', async () => {
    const server = mcpServer({
      tools: [
        mcpTool({
          name: 'polled',
          execute: (_, { transport }) => {
            transport.closeStream?.();
            return 'the rest';
          },
        }),
      ],
    });
    open.push(() => server.close());
    const handler = mcpHttpHandler(server, { eventStore: inMemoryEventStore({ maxEvents: 50 }), retryIntervalMs: 10 });
    const headers = await session(handler);
    const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'polled', arguments: {} } };
    const broken = await (await handler.fetch(request('POST', headers, call))).text();
    expect(broken).toContain('retry: 10');
    expect(broken).not.toContain('the rest');
    const lastSeen = /id: (\S+)/.exec(broken)?.[1] ?? '';
    const resumed = await handler.fetch(request('GET', { ...headers, 'last-event-id': lastSeen }));
    const reader = resumed.body?.getReader();
    const text = new TextDecoder().decode((await reader?.read())?.value);
    expect(text).toContain('the rest');
    await reader?.cancel();
  });

  it('are given the principal that a middleware found', async () => {
    const server = mcpServer({
      tools: [mcpTool({ name: 'who', execute: (_, { principal }) => principal?.subject ?? 'nobody' })],
    });
    open.push(() => server.close());
    const handler = mcpHttpHandler(server);
    for (const era of ['legacy', 'modern'] as const) {
      const client = await connectClient(handler, era, { principal: { subject: 'ann' } });
      open.push(() => client.close());
      expect((await client.callTool({ name: 'who' })).content).toEqual([{ type: 'text', text: 'ann' }]);
    }
  });

  it('answer with JSON where that is wanted', async () => {
    const handler = notes({ json: true });
    const headers = await session(handler);
    const response = await handler.fetch(request('POST', headers, { jsonrpc: '2.0', id: 2, method: 'tools/list' }));
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ id: 2, result: { tools: expect.any(Array) } });
  });
});

describe('what a client must not send', () => {
  it.each([
    [
      'a list of a thousand calls without a session',
      JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))),
    ],
    ['no message', '{"a":1}'],
    ['null', 'null'],
    ['nothing', ''],
    ['depth', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['bytes that are no text', '\u0000\uD800'],
  ])('%s is refused and harms nobody', async (_, body) => {
    const handler = notes({});
    const response = await handler.fetch(request('POST', {}, body));
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await session(handler)).not.toEqual({ 'mcp-session-id': '' });
  });

  it('names that objects have of themselves are names like any other', async () => {
    const client = await connectClient(notes({}), 'legacy');
    open.push(() => client.close());
    for (const name of ['__proto__', 'constructor', 'toString', 'x'.repeat(100_000)]) {
      await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32_602 });
      await expect(client.getPrompt({ name, arguments: {} })).rejects.toMatchObject({ code: -32_602 });
      await expect(client.readResource({ uri: `a://${name}` })).rejects.toMatchObject({ code: -32_602 });
    }
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'summary' },
      argument: { name: '__proto__', value: '' },
    });
    expect(completion.values).toEqual([]);
  });
});
