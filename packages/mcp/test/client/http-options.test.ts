import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import {
  ClientCredentialsProvider,
  connectMcp,
  McpConnection,
  sseTransport,
  streamableHttpTransport,
} from '@vernal/mcp';
import { afterEach, describe, expect, test } from 'vitest';
import { HeadlessUser } from './headless-user.js';
import { answerOf } from './scripted-server.mjs';

const LIMIT = 60_000;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
}, LIMIT);

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const http = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  const address = http.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A server of before 2025-03-26: an event stream, and a place for messages. */
async function olderServer(): Promise<{ readonly url: string; cut(): void }> {
  const sessions = new Map<string, SSEServerTransport>();
  const streams = new Set<ServerResponse>();
  const origin = await listen(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'GET' && url.pathname === '/sse') {
      const server = new McpServer({ name: 'older', version: '1' });
      server.registerTool('ping', { description: 'Pings' }, async () => ({
        content: [{ type: 'text', text: 'pong' }],
      }));
      const transport = new SSEServerTransport('/message', response);
      sessions.set(transport.sessionId, transport);
      streams.add(response);
      await server.connect(transport);
    } else if (request.method === 'POST' && url.pathname === '/message') {
      const session = sessions.get(url.searchParams.get('sessionId') ?? '');
      if (session === undefined) response.writeHead(404).end();
      else await session.handlePostMessage(request, response);
    } else response.writeHead(405).end();
  });
  return {
    url: `${origin}/sse`,
    cut() {
      for (const stream of streams) stream.destroy();
      streams.clear();
      sessions.clear();
    },
  };
}

describe('the older transport', () => {
  test('lists and calls, and opens again when its stream was cut', { timeout: LIMIT }, async () => {
    const server = await olderServer();
    await using connection = await connectMcp({
      name: 'o',
      transport: sseTransport(server.url),
      requestTimeoutMs: LIMIT,
    });
    expect((await connection.listTools()).map(({ name }) => name)).toEqual(['ping']);
    expect((await connection.callTool('ping')).content).toEqual([{ type: 'text', text: 'pong' }]);
    server.cut();
    await expect.poll(() => connection.connected, { timeout: LIMIT }).toBe(false);
    expect((await connection.callTool('ping')).content).toEqual([{ type: 'text', text: 'pong' }]);
  });

  test('is what is left when the newer one is not there', { timeout: LIMIT }, async () => {
    const { url } = await olderServer();
    await using connection = await connectMcp({
      name: 'o',
      transport: streamableHttpTransport(url, { sseFallback: url }),
    });
    expect((await connection.callTool('ping')).content).toHaveLength(1);
    await expect(connectMcp({ name: 'o', transport: streamableHttpTransport(url) })).rejects.toMatchObject({
      code: 'mcp_connection',
    });
  });
});

test('headers go along with every request, asked for anew each time', { timeout: LIMIT }, async () => {
  const seen: unknown[] = [];
  const url = await listen(async (request, response) => {
    seen.push(request.headers['x-key']);
    const message = JSON.parse((await bodyOf(request)) || '{}');
    if (message.id === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerOf('odd', message)));
  });
  let count = 0;
  const headers = async () => ({ 'x-key': `k${count++}`, accept: 'nothing/at-all' });
  await using connection = await connectMcp({ name: 'h', transport: streamableHttpTransport(url, { headers }) });
  await connection.callTool('good');
  expect(seen.length).toBeGreaterThanOrEqual(3);
  expect(new Set(seen).size).toBe(seen.length);
});

/** An MCP server that wants a token, and the server that gives them. */
async function guardedServer(): Promise<{ readonly url: string; readonly grants: string[]; revoke(): void }> {
  const grants: string[] = [];
  let valid = '';
  const json = (response: ServerResponse, value: object, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const origin: string = await listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return json(response, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (pathname.startsWith('/.well-known/oauth-authorization-server'))
      return json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        grant_types_supported: ['authorization_code', 'client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
      });
    if (pathname === '/register')
      return json(response, { ...JSON.parse(await bodyOf(request)), client_id: 'registered' }, 201);
    if (pathname === '/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'the-code');
      return void response.writeHead(302, { location: back.href }).end();
    }
    if (pathname === '/token') {
      const form = new URLSearchParams(await bodyOf(request));
      grants.push(`${form.get('grant_type')} ${form.get('code') ?? ''}`.trim());
      valid = `token-${grants.length}`;
      return json(response, { access_token: valid, token_type: 'Bearer', expires_in: 3_600 });
    }
    if (request.headers.authorization !== `Bearer ${valid}` || valid === '') {
      const where = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
      return void response.writeHead(401, { 'www-authenticate': where }).end();
    }
    const message = JSON.parse((await bodyOf(request)) || '{}');
    if (message.id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end();
    return json(response, answerOf('odd', message));
  });
  return {
    url: `${origin}/mcp`,
    grants,
    revoke() {
      valid = '';
    },
  };
}

describe('OAuth', () => {
  test('with the credentials of a client, again when the token is refused', { timeout: LIMIT }, async () => {
    const server = await guardedServer();
    const auth = new ClientCredentialsProvider({
      clientId: 'me',
      clientSecret: 'secret',
      expectedIssuer: new URL(server.url).origin,
    });
    await using connection = await connectMcp({ name: 'g', transport: streamableHttpTransport(server.url, { auth }) });
    expect((await connection.callTool('good')).content).toHaveLength(1);
    server.revoke();
    expect((await connection.callTool('good')).content).toHaveLength(1);
    expect(server.grants).toEqual(['client_credentials', 'client_credentials']);
  });

  test('your headers stay with the server, and the secret with its issuer', { timeout: LIMIT }, async () => {
    const elsewhere: IncomingMessage[] = [];
    const own: unknown[] = [];
    const other = await listen((request, response) => {
      elsewhere.push(request);
      const issuer = `${other}/as`;
      const found = request.url?.includes('well-known') ?? false;
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          response_types_supported: ['code'],
          grant_types_supported: ['client_credentials'],
        }),
      );
    });
    const origin: string = await listen((request, response) => {
      own.push(request.headers['x-key']);
      if (request.url?.includes('well-known')) {
        const resource = { resource: `${origin}/mcp`, authorization_servers: [`${other}/as`] };
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(resource));
      }
      const where = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`;
      response.writeHead(401, { 'www-authenticate': where }).end();
    });
    const credentials = { clientId: 'me', clientSecret: 'secret' };
    const connect = (expectedIssuer: string) =>
      connectMcp({
        name: 'g',
        transport: streamableHttpTransport(`${origin}/mcp`, {
          headers: { 'x-key': 'k', cookie: 'c=1' },
          auth: new ClientCredentialsProvider({ ...credentials, expectedIssuer }),
        }),
      });
    await expect(connect('https://auth.example.com')).rejects.toMatchObject({ code: 'mcp_unauthorized' });
    expect(elsewhere.map(({ url }) => url)).not.toContain('/as/token');
    await expect(connect(`${other}/as`)).rejects.toMatchObject({ code: 'mcp_unauthorized' });
    expect(elsewhere.map(({ url }) => url)).toContain('/as/token');
    for (const { headers } of elsewhere) {
      expect(headers).not.toHaveProperty('x-key');
      expect(headers).not.toHaveProperty('cookie');
    }
    expect(new Set(own)).toEqual(new Set(['k']));
  });

  test('with a user who is sent away and comes back', { timeout: LIMIT }, async () => {
    const server = await guardedServer();
    const user = new HeadlessUser();
    await using connection = new McpConnection({
      name: 'g',
      transport: streamableHttpTransport(server.url, { auth: user }),
    });
    await expect(connection.connect()).rejects.toMatchObject({ code: 'mcp_unauthorized' });
    if (user.callback === undefined) throw new Error('nobody was sent away');
    await connection.finishAuth(user.callback);
    expect(connection.connected).toBe(true);
    expect((await connection.callTool('good')).content).toHaveLength(1);
    expect(server.grants).toEqual(['authorization_code the-code']);
    await expect(connection.finishAuth(new URLSearchParams())).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('a fixed token, and none', { timeout: LIMIT }, async () => {
    const server = await guardedServer();
    await expect(connectMcp({ name: 'g', transport: streamableHttpTransport(server.url) })).rejects.toMatchObject({
      code: 'mcp_unauthorized',
      subject: 'auth',
    });
    const auth = { token: async () => 'wrong-secret-token' };
    const refused = connectMcp({ name: 'g', transport: streamableHttpTransport(server.url, { auth }) });
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'mcp_unauthorized' });
    expect(String(error)).not.toContain('wrong-secret-token');
  });
});

describe('a server that answers with a status', () => {
  /** Sessions, and `status` for the first call of each tool. */
  const failing = async (status: number, words: string): Promise<{ readonly url: string; readonly runs: string[] }> => {
    const runs: string[] = [];
    const origin = await listen(async (request, response) => {
      if (request.method !== 'POST') return void response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
      const message = JSON.parse(await bodyOf(request));
      if (message.id === undefined) return void response.writeHead(202).end();
      if (message.method === 'tools/call') {
        runs.push(message.params.name);
        if (runs.filter((name) => name === message.params.name).length === 1)
          return void response.writeHead(status).end(words);
      }
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': `s${runs.length}` });
      response.end(JSON.stringify(answerOf('odd', message)));
    });
    return { url: `${origin}/mcp`, runs };
  };

  test.each([
    [503, 'disconnect/reset before headers'],
    [429, 'later'],
    [400, 'written, but no session logger'],
  ])('%d is not asked again, unless it may run twice', { timeout: LIMIT }, async (status, words) => {
    const { url, runs } = await failing(status, words);
    await using connection = await connectMcp({
      name: 's',
      transport: streamableHttpTransport(url),
      reconnect: { initialDelayMs: 1 },
    });
    await expect(connection.callTool('write')).rejects.toMatchObject({
      code: 'mcp_connection',
      retryable: false,
      details: { delivered: 'unknown' },
    });
    expect(runs).toEqual(['write']);
    expect((await connection.callTool('read', {}, { repeatable: true })).content).toHaveLength(1);
    expect(runs).toEqual(['write', 'read', 'read']);
    expect((await connection.callTool('write')).content).toHaveLength(1);
  });

  test('its words are nowhere in the error', { timeout: LIMIT }, async () => {
    const { url } = await failing(500, 'boom\n    at SECRETWORDS (db password=hunter2)\n');
    await using connection = await connectMcp({ name: 's', transport: streamableHttpTransport(url) });
    const error = await connection.callTool('write').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'mcp_connection',
      details: { delivered: 'unknown' },
      cause: { stack: expect.stringMatching(/\n +at /) },
    });
    expect(inspect(error, { depth: 9 })).not.toMatch(/hunter2|boom|SECRETWORDS/);
  });

  test('404 has forgotten the session, and not looked at the call', { timeout: LIMIT }, async () => {
    const { url, runs } = await failing(404, 'what?');
    await using connection = await connectMcp({
      name: 's',
      transport: streamableHttpTransport(url),
      reconnect: { initialDelayMs: 1 },
    });
    expect((await connection.callTool('write')).content).toHaveLength(1);
    expect(runs).toEqual(['write', 'write']);
  });
});
