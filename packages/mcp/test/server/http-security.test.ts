import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { tool, VernalError } from '@vernal/core';
import {
  type McpHttpHandler,
  type McpHttpOptions,
  type McpPrincipal,
  mcpHttpHandler,
  mcpServer,
  mcpTool,
} from '@vernal/mcp';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectClient } from './connect-client.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

function handlerWith(options: McpHttpOptions, server = whoServer()): McpHttpHandler {
  open.push(() => server.close());
  return mcpHttpHandler(server, options);
}

function whoServer(): ReturnType<typeof mcpServer> {
  return mcpServer({
    tools: [
      mcpTool({ name: 'whoAmI', execute: (_, { principal }) => principal?.subject ?? 'nobody' }),
      mcpTool({ name: 'adminOnly', scopes: ['admin'], execute: () => 'done' }),
      tool({ name: 'hidden', input: z.object({}), execute: () => 'seen' }),
    ],
    authorize: ({ name, principal }) => name !== 'hidden' || principal?.subject === 'ann',
  });
}

function post(body: unknown, headers: Record<string, string> = {}, url = 'http://localhost/mcp'): Request {
  return new Request(url, {
    method: 'POST',
    headers: {
      host: 'localhost',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const PEOPLE: Readonly<Record<string, McpPrincipal>> = {
  'token-ann': {
    subject: 'ann',
    scopes: ['mcp', 'admin'],
    expiresAt: 9_999_999_999,
    audience: 'https://api.example.com/mcp',
  },
  'token-bob': {
    subject: 'bob',
    scopes: ['mcp'],
    expiresAt: 9_999_999_999,
    audience: ['x', 'https://api.example.com/mcp/'],
  },
  'token-old': { subject: 'old', scopes: ['mcp'], expiresAt: 1, audience: 'https://api.example.com/mcp' },
  'token-elsewhere': {
    subject: 'eve',
    scopes: ['mcp'],
    expiresAt: 9_999_999_999,
    audience: 'https://other.example.com',
  },
  'token-poor': { subject: 'poor', expiresAt: 9_999_999_999, audience: 'https://api.example.com/mcp' },
};

const AUTH: McpHttpOptions = {
  auth: {
    resource: 'https://api.example.com/mcp',
    authorizationServers: ['https://login.example.com'],
    requiredScopes: ['mcp'],
    scopesSupported: ['mcp', 'admin'],
    verify: (token) => {
      if (token === 'token-broken') throw new Error('database password');
      return PEOPLE[token];
    },
  },
};

describe('host and origin', () => {
  it('are checked without being asked: this machine only', async () => {
    const handler = handlerWith({});
    expect((await handler.fetch(post(INITIALIZE))).status).toBe(200);
    expect((await handler.fetch(post(INITIALIZE, { host: '127.0.0.1:8080' }))).status).toBe(200);
    expect((await handler.fetch(post(INITIALIZE, { host: 'evil.example.com' }))).status).toBe(403);
    expect((await handler.fetch(post(INITIALIZE, { origin: 'https://evil.example.com' }))).status).toBe(403);
    expect((await handler.fetch(post(INITIALIZE, { origin: 'null' }))).status).toBe(403);
  });

  it('may be others, and the browser of an allowed page is told so', async () => {
    const handler = handlerWith({ allowedHosts: ['api.example.com'], allowedOrigins: ['app.example.com'] });
    const headers = { host: 'api.example.com', origin: 'https://app.example.com' };
    const response = await handler.fetch(post(INITIALIZE, headers));
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    expect(response.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
    const preflight = await handler.fetch(new Request('http://api.example.com/mcp', { method: 'OPTIONS', headers }));
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
    expect((await handler.fetch(post(INITIALIZE))).status).toBe(403);
  });
});

describe('bodies', () => {
  it('are held to their size, their type and to JSON', async () => {
    const handler = handlerWith({ maxBodyBytes: 1_000 });
    expect((await handler.fetch(post({ ...INITIALIZE, pad: 'x'.repeat(2_000) }))).status).toBe(413);
    expect((await handler.fetch(post(INITIALIZE, { 'content-type': 'text/plain' }))).status).toBe(415);
    const broken = await handler.fetch(post('{"jsonrpc":'));
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { code: -32_700 } });
    expect((await handler.fetch(post('['.repeat(900)))).status).toBe(400);
  });

  it('that lie about their length are cut off while they are read', async () => {
    const handler = handlerWith({ maxBodyBytes: 1_000 });
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(600).fill(32));
      },
    });
    const init = {
      method: 'POST',
      body: endless,
      duplex: 'half' as const,
      headers: { host: 'localhost', 'content-type': 'application/json' },
    };
    expect((await handler.fetch(new Request('http://localhost/mcp', init))).status).toBe(413);
    expect(sent).toBeLessThan(10);
  });
});

describe('bearer tokens', () => {
  it('refuse without a token, with a challenge that leads to the metadata', async () => {
    const handler = handlerWith(AUTH);
    const refused = await handler.fetch(post(INITIALIZE));
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain(
      'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/mcp"',
    );
    const path = '/.well-known/oauth-protected-resource/mcp';
    const metadata = await handler.fetch(new Request(`http://localhost${path}`, { headers: { host: 'localhost' } }));
    expect(await metadata.json()).toEqual({
      resource: 'https://api.example.com/mcp',
      authorization_servers: ['https://login.example.com'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['mcp', 'admin'],
    });
  });

  it.each([
    ['unknown', 'nonsense', 401],
    ['expired', 'token-old', 401],
    ['of another audience', 'token-elsewhere', 401],
    ['without a scope', 'token-poor', 403],
    ['that the check broke on', 'token-broken', 401],
    ['good', 'token-bob', 200],
  ])('%s', async (_, token, status) => {
    const handler = handlerWith(AUTH);
    const response = await handler.fetch(post(INITIALIZE, { authorization: `Bearer ${token}` }));
    expect(response.status).toBe(status);
    expect(await response.text()).not.toContain('password');
  });

  it('reach the tools as principal', async () => {
    for (const era of ['legacy', 'modern'] as const) {
      const client = await connectClient(handlerWith(AUTH), era, { headers: { authorization: 'Bearer token-ann' } });
      open.push(() => client.close());
      expect((await client.callTool({ name: 'whoAmI' })).content).toEqual([{ type: 'text', text: 'ann' }]);
    }
  });

  it('without the scope of a tool are asked for it', async () => {
    const handler = handlerWith(AUTH);
    const headers = { authorization: 'Bearer token-bob' };
    const started = await handler.fetch(post(INITIALIZE, headers));
    const session = started.headers.get('mcp-session-id') ?? '';
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'adminOnly', arguments: {} } };
    const challenged = await handler.fetch(post(call, { ...headers, 'mcp-session-id': session }));
    expect(challenged.status).toBe(403);
    expect(challenged.headers.get('www-authenticate')).toMatch(/insufficient_scope.*scope="admin"/);
    const client = await connectClient(handler, 'modern', { headers: { authorization: 'Bearer token-ann' } });
    open.push(() => client.close());
    expect((await client.callTool({ name: 'adminOnly' })).content).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('refuse options that cannot be right', () => {
    const verify = (): undefined => undefined;
    const bad = [
      { auth: { verify, resource: 'nowhere', authorizationServers: ['https://a.example'] } },
      { auth: { verify, resource: 'https://a.example', authorizationServers: [] } },
      { maxBodyBytes: 0 },
      { maxSessions: -1 },
    ];
    for (const options of bad)
      expect(() => handlerWith(options)).toThrow(
        expect.toSatisfy((error) => VernalError.is(error) && error.code === 'invalid_argument'),
      );
  });
});

describe('authorize', () => {
  it.each(['legacy', 'modern'] as const)('hides what a caller may not use (%s)', async (era) => {
    const handler = handlerWith({
      auth: { authenticate: (request) => PEOPLE[request.headers.get('x-api-key') ?? ''] },
    });
    const [ann, bob] = await Promise.all(
      ['token-ann', 'token-bob'].map((key) => connectClient(handler, era, { headers: { 'x-api-key': key } })),
    );
    open.push(
      async () => ann?.close(),
      async () => bob?.close(),
    );
    expect((await ann?.listTools())?.tools.map(({ name }) => name)).toContain('hidden');
    expect((await bob?.listTools())?.tools.map(({ name }) => name)).not.toContain('hidden');
    expect((await ann?.callTool({ name: 'hidden' }))?.content).toEqual([{ type: 'text', text: 'seen' }]);
    await expect(bob?.callTool({ name: 'hidden' })).rejects.toThrow('Tool hidden not found');
  });

  it('answers 401 to who is not known', async () => {
    const handler = handlerWith({ auth: { authenticate: () => undefined } });
    expect((await handler.fetch(post(INITIALIZE))).status).toBe(401);
  });
});

describe('sessions', () => {
  const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

  it('belong to who opened them', async () => {
    const handler = handlerWith(AUTH);
    const ann = { authorization: 'Bearer token-ann' };
    const session = (await handler.fetch(post(INITIALIZE, ann))).headers.get('mcp-session-id') ?? '';
    const of = (token: string): Promise<Response> =>
      handler.fetch(post(LIST, { authorization: `Bearer ${token}`, 'mcp-session-id': session }));
    expect((await of('token-ann')).status).toBe(200);
    expect((await of('token-bob')).status).toBe(404);
    expect((await of('nonsense')).status).toBe(401);
  });

  it('are 404 once ended or unknown, 400 where the header is missing', async () => {
    const handler = handlerWith({});
    const session = (await handler.fetch(post(INITIALIZE))).headers.get('mcp-session-id') ?? '';
    const end = new Request('http://localhost/mcp', {
      method: 'DELETE',
      headers: { host: 'localhost', 'mcp-session-id': session },
    });
    expect((await handler.fetch(end)).status).toBe(200);
    expect((await handler.fetch(post(LIST, { 'mcp-session-id': session }))).status).toBe(404);
    expect((await handler.fetch(post(LIST))).status).toBe(400);
  });

  it('cannot be ended by clients where that is not wanted', async () => {
    const handler = handlerWith({ disallowDelete: true });
    const session = (await handler.fetch(post(INITIALIZE))).headers.get('mcp-session-id') ?? '';
    const end = new Request('http://localhost/mcp', {
      method: 'DELETE',
      headers: { host: 'localhost', 'mcp-session-id': session },
    });
    expect((await handler.fetch(end)).status).toBe(405);
    expect((await handler.fetch(post(LIST, { 'mcp-session-id': session }))).status).toBe(200);
  });

  it('make room for new ones, those with an open stream last', async () => {
    const server = whoServer();
    const handler = handlerWith({ maxSessions: 2 }, server);
    const start = async (): Promise<string> =>
      (await handler.fetch(post(INITIALIZE))).headers.get('mcp-session-id') ?? '';
    const first = await start();
    const listening = await handler.fetch(
      new Request('http://localhost/mcp', {
        headers: { host: 'localhost', accept: 'text/event-stream', 'mcp-session-id': first },
      }),
    );
    expect(listening.status).toBe(200);
    const second = await start();
    const third = await start();
    expect((await handler.fetch(post(LIST, { 'mcp-session-id': first }))).status).toBe(200);
    expect((await handler.fetch(post(LIST, { 'mcp-session-id': second }))).status).toBe(404);
    expect((await handler.fetch(post(LIST, { 'mcp-session-id': third }))).status).toBe(200);
    expect(server.connections).toBe(2);
    await listening.body?.cancel();
    await handler.close();
    expect(server.connections).toBe(0);
  });

  it('are refused where all are busy', async () => {
    const handler = handlerWith({ maxSessions: 1 });
    const first = (await handler.fetch(post(INITIALIZE))).headers.get('mcp-session-id') ?? '';
    const listening = await handler.fetch(
      new Request('http://localhost/mcp', {
        headers: { host: 'localhost', accept: 'text/event-stream', 'mcp-session-id': first },
      }),
    );
    const full = await handler.fetch(post(INITIALIZE));
    expect(full.status).toBe(503);
    expect(full.headers.get('retry-after')).not.toBeNull();
    await listening.body?.cancel();
  });
});

describe('a closed handler', () => {
  it('answers 503, and closing twice is closing once', async () => {
    const server = whoServer();
    const handler = mcpHttpHandler(server);
    await handler.close();
    await handler.close();
    expect((await handler.fetch(post(INITIALIZE))).status).toBe(503);
    const other = mcpHttpHandler(server);
    const client = new Client({ name: 't', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
        fetch: (url, init) =>
          other.fetch(
            new Request(url, {
              ...init,
              headers: { ...Object.fromEntries(new Headers(init?.headers)), host: 'localhost' },
            }),
          ),
      }),
    );
    await server.close();
    expect((await other.fetch(post(INITIALIZE))).status).toBe(503);
    await expect(
      server.connect({ start: async () => {}, send: async () => {}, close: async () => {} }),
    ).rejects.toMatchObject({
      code: 'invalid_state',
    });
    await client.close();
  });
});
