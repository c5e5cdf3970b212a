import { connect } from 'node:net';
import { VernalError } from '@vernal/core';
import { type McpHttpHandler, type McpHttpOptions, mcpHttpHandler, mcpServer, mcpTool } from '@vernal/mcp';
import { serveMcpHttp } from '@vernal/mcp/node';
import { afterEach, describe, expect, it } from 'vitest';
import { initialize, request } from './raw-http.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function handlerWith(options: McpHttpOptions): McpHttpHandler {
  const server = mcpServer({ tools: [mcpTool({ name: 'pong', execute: () => 'pong' })] });
  open.push(() => server.close());
  return mcpHttpHandler(server, options);
}

async function statusOf(handler: McpHttpHandler, headers: Record<string, string>): Promise<number> {
  return (await handler.fetch(request('POST', headers, initialize()))).status;
}

describe('allowed hosts', () => {
  it.each([
    ['API.Example.com', 'api.example.com'],
    ['api.example.com:8080', 'api.example.com:8080'],
    ['api.example.com', 'API.EXAMPLE.com:1'],
    ['::1', '[::1]:80'],
    ['[0:0:0:0:0:0:0:1]', '[::1]'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('%s are meant by the header %s', async (allowed, host) => {
    expect(await statusOf(handlerWith({ allowedHosts: [allowed] }), { host })).toBe(200);
    expect(await statusOf(handlerWith({ allowedHosts: [allowed] }), { host: 'localhost' })).toBe(403);
    const handler = handlerWith({ allowedOrigins: [allowed] });
    expect(await statusOf(handler, { origin: `https://${host}` })).toBe(200);
    expect(await statusOf(handler, { origin: 'https://localhost' })).toBe(403);
  });

  it.each(['', '*', '*.example.com', 'https://api.example.com', 'a b', 'a/b', 'x@y', '%zz', 'a:b:c', 'a?b', 'a#b'])(
    'cannot be called %j',
    (name) => {
      for (const option of ['allowedHosts', 'allowedOrigins'])
        expect(() => handlerWith({ [option]: [name] })).toThrow(
          expect.toSatisfy(
            (error) => VernalError.is(error) && error.code === 'invalid_argument' && error.message.includes(option),
          ),
        );
    },
  );

  it('that are not checked leave the check of web pages as it is', async () => {
    const handler = handlerWith({ allowedHosts: false });
    expect(await statusOf(handler, { host: 'any.example.com' })).toBe(200);
    expect(await statusOf(handler, { host: 'any.example.com', origin: 'http://localhost:3000' })).toBe(200);
    expect(await statusOf(handler, { host: 'any.example.com', origin: 'https://evil.example.com' })).toBe(403);
    const named = handlerWith({ allowedHosts: false, allowedOrigins: ['app.example.com'] });
    expect(await statusOf(named, { host: 'x', origin: 'https://app.example.com' })).toBe(200);
    expect(await statusOf(named, { host: 'x', origin: 'https://localhost' })).toBe(403);
    const anything = handlerWith({ allowedHosts: false, allowedOrigins: false });
    expect(await statusOf(anything, { host: 'x', origin: 'https://evil.example.com' })).toBe(200);
  });

  it('may be the pages of a browser extension, whatever its id', async () => {
    const handler = handlerWith({ allowedOrigins: ['Moz-Extension://*'] });
    expect(await statusOf(handler, { origin: 'moz-extension://3c4b' })).toBe(200);
    expect(await statusOf(handler, { origin: 'https://evil.example.com' })).toBe(403);
  });
});

describe('a header Host that names no host', () => {
  const hosts = [
    'a b',
    '%zz',
    'x@localhost',
    'localhost@evil.example.com',
    'localhost#x',
    'localhost?x',
    'localhost/x',
  ];

  it.each(hosts)('%j is a bad request', async (host) => {
    expect(await statusOf(handlerWith({}), { host })).toBe(400);
    expect(await statusOf(handlerWith({ allowedHosts: false }), { host })).toBe(400);
  });

  it('is one over node:http, too, and a method without a meaning is 405', async () => {
    const server = mcpServer({ tools: [mcpTool({ name: 'pong', execute: () => 'pong' })] });
    open.push(() => server.close());
    await using listening = await serveMcpHttp(server, { allowedHosts: false });
    const body = JSON.stringify(initialize());
    const statusLine = (method: string, host: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(listening.port, '127.0.0.1');
        let answer = '';
        socket.on('data', (piece) => {
          answer += String(piece);
        });
        socket.once('error', reject);
        socket.once('close', () => resolve(answer.split('\r\n')[0] ?? ''));
        socket.write(
          `${method} /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
            `Accept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      });
    for (const host of hosts) expect(await statusLine('POST', host)).toBe('HTTP/1.1 400 Bad Request');
    expect(await statusLine('TRACE', 'localhost')).toBe('HTTP/1.1 405 Method Not Allowed');
    expect(await statusLine('POST', 'any.example.com')).toBe('HTTP/1.1 200 OK');
  });
});

describe('a body', () => {
  it('of more than it announces is cut off while it is read', async () => {
    const handler = handlerWith({ maxBodyBytes: 1_000 });
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(600).fill(32));
      },
    });
    const headers = { host: 'localhost', 'content-type': 'application/json', 'content-length': '5' };
    const init = { method: 'POST', body: endless, duplex: 'half' as const, headers };
    expect((await handler.fetch(new Request('http://localhost/mcp', init))).status).toBe(413);
    expect(sent).toBeLessThan(10);
  });

  it('is counted in bytes, not in letters', async () => {
    const handler = handlerWith({ maxBodyBytes: 1_000 });
    const long = JSON.stringify({ ...initialize(), pad: 'é'.repeat(700) });
    expect(long.length).toBeLessThan(1_000);
    for (const headers of [{}, { 'content-length': '5' }])
      expect((await handler.fetch(request('POST', headers, long))).status).toBe(413);
  });
});
