import {
  type McpHttpHandler,
  type McpHttpOptions,
  type McpPrincipal,
  mcpHttpHandler,
  mcpServer,
  mcpTool,
} from '@vernal/mcp';
import { afterEach, describe, expect, it } from 'vitest';
import { initialize, request, startSession } from './raw-http.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function served(options: McpHttpOptions): { server: ReturnType<typeof mcpServer>; handler: McpHttpHandler } {
  const server = mcpServer({ tools: [mcpTool({ name: 'pong', execute: () => 'pong' })] });
  open.push(() => server.close());
  return { server, handler: mcpHttpHandler(server, options) };
}

function sse(): Request {
  return request('GET', {}, undefined, 'http://localhost/sse');
}

describe('maxSessions', () => {
  it('holds when many begin at once', async () => {
    const { server, handler } = served({ maxSessions: 2 });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => handler.fetch(request('POST', {}, initialize()))),
    );
    expect(server.connections).toBe(2);
    expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2);
    await startSession(handler);
    expect(server.connections).toBe(2);
    await handler.close();
    expect(server.connections).toBe(0);
  });

  it('gives back the place of one that came to nothing', async () => {
    const { server, handler } = served({ maxSessions: 1 });
    const twice = [initialize(), initialize()];
    for (let tries = 0; tries < 3; tries++) expect((await handler.fetch(request('POST', {}, twice))).status).toBe(400);
    expect(server.connections).toBe(0);
    expect((await startSession(handler))['mcp-session-id']).not.toBe('');
  });

  it('holds for the deprecated transport, too', async () => {
    const { server, handler } = served({ maxSessions: 2, sse: true });
    const answers = await Promise.all(Array.from({ length: 20 }, () => handler.fetch(sse())));
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(2);
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(18);
    expect(server.connections).toBe(2);
    await taken[0]?.body?.cancel();
    const next = await handler.fetch(sse());
    expect(next.status).toBe(200);
  });
});

describe('a request whose caller is still being looked up', () => {
  it.each(['handler', 'server'] as const)('is refused when the %s closes meanwhile', async (what) => {
    let answer: (principal: McpPrincipal) => void = () => {};
    const principal = new Promise<McpPrincipal>((resolve) => {
      answer = resolve;
    });
    const { server, handler } = served({ sse: true, auth: { authenticate: () => principal } });
    const modern = {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const waiting = [
      request('POST', {}, initialize()),
      sse(),
      request('POST', { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }, modern),
    ].map((one) => handler.fetch(one));
    await (what === 'handler' ? handler.close() : server.close());
    answer({ subject: 'ann' });
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(server.connections).toBe(0);
  });
});

describe('a caller without a subject', () => {
  const nobodies: readonly unknown[] = [{}, { subject: '' }, { subject: undefined, clientId: 'a' }, null, false, 'ann'];

  it.each(nobodies)('%j is nobody, whoever says so', async (nobody) => {
    // Plain JavaScript is not held to the type.
    const principal = nobody as McpPrincipal;
    const { handler } = served({ auth: { authenticate: () => principal } });
    expect((await handler.fetch(request('POST', {}, initialize()))).status).toBe(401);

    const bearer = served({
      auth: { verify: () => principal, resource: 'https://a.example/mcp', authorizationServers: ['https://a.example'] },
    });
    const refused = await bearer.handler.fetch(request('POST', { authorization: 'Bearer x' }, initialize()));
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('invalid_token');
  });

  it('is nobody when a middleware says so, too', async () => {
    const { handler } = served({});
    const principal: McpPrincipal = JSON.parse('{"scopes":[]}');
    expect((await handler.fetch(request('POST', {}, initialize()), { principal })).status).toBe(401);
    const authInfo = { token: 't', clientId: '', scopes: [] };
    expect((await handler.fetch(request('POST', {}, initialize()), { authInfo })).status).toBe(401);
  });
});
