import { getEventListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type PooledFetch, pooledFetch } from '@vernal/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let server: Server;
let url: string;
let handler: Handler;
let connections: number;
let pool: PooledFetch;

beforeEach(async () => {
  connections = 0;
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    handler(request, response, body);
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1?a=b`;
  pool = pooledFetch();
});
afterEach(async () => {
  await pool.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const echo: Handler = (request, response, body) => {
  response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] });
  response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
};

/** What both transports make of one request, without what is theirs by right. */
async function seen(fetching: typeof fetch, init: RequestInit): Promise<unknown> {
  const response = await fetching(url, init);
  const told = (await response.json()) as { headers: Record<string, string> };
  const {
    accept,
    'user-agent': agent,
    connection,
    'accept-language': _,
    'sec-fetch-mode': __,
    ...headers
  } = told.headers;
  delete headers['accept-encoding'];
  expect([accept, agent, connection]).toEqual([expect.any(String), expect.any(String), 'keep-alive']);
  const { status, statusText, ok, redirected, bodyUsed } = response;
  return { ...told, headers, status, statusText, ok, redirected, bodyUsed, url: response.url };
}

describe('does what the global fetch does', () => {
  it.each<[string, RequestInit]>([
    ['GET', {}],
    ['POST of JSON', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"grüße":"世界"}' }],
    ['POST of text without a type', { method: 'POST', body: 'text' }],
    ['POST of bytes', { method: 'POST', body: new Uint8Array([104, 105]), headers: new Headers({ 'x-a': 'b' }) }],
    ['headers as pairs', { headers: [['x-a', '1']] }],
  ])('%s', async (_, init) => {
    handler = echo;
    expect(await seen(pool, init)).toEqual(await seen(fetch, init));
  });

  it('reads every kind of body', async () => {
    handler = (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('Grüße 世界');
    const bytes = new TextEncoder().encode('Grüße 世界');
    expect(await (await pool(url)).text()).toBe('Grüße 世界');
    expect(new Uint8Array(await (await pool(url)).arrayBuffer())).toEqual(bytes);
    expect(await (await (await pool(url)).blob()).text()).toBe('Grüße 世界');
    const response = await pool(url);
    const copy = response.clone();
    expect([await copy.text(), await new Response(response.body).text()]).toEqual(['Grüße 世界', 'Grüße 世界']);
    const used = await pool(url);
    await used.text();
    expect(used.bodyUsed).toBe(true);
    await expect(used.text()).rejects.toThrow(TypeError);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decodes %s', async (encoding, compress) => {
    handler = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(compress('plain words'));
    expect(await (await pool(url)).text()).toBe('plain words');
  });

  it('gives no body where there is none', async () => {
    handler = (_, response) => response.writeHead(204).end();
    const response = await pool(url);
    expect([response.body, await response.text()]).toEqual([null, '']);
  });

  it('follows redirects, and keeps repeated headers', async () => {
    handler = (request, response, body) => {
      if (request.url === '/v1?a=b') response.writeHead(307, { location: '/there' }).end();
      else echo(request, response, body);
    };
    const response = await pool(url, { method: 'POST', body: 'again' });
    expect(await response.json()).toMatchObject({ url: '/there', body: 'again' });
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect((await pool(url, { redirect: 'manual' })).status).toBe(307);
  });

  it('rejects as fetch does when nobody answers', async () => {
    const nobody = 'http://127.0.0.1:1/';
    for (const one of [fetch, pool]) {
      await expect(one(nobody)).rejects.toMatchObject({ name: 'TypeError', message: 'fetch failed' });
    }
  });
});

describe('connections', () => {
  it('are kept from one request to the next', async () => {
    handler = echo;
    for (let i = 0; i < 5; i++) await (await pool(url)).json();
    expect(connections).toBe(1);
  });

  it('are no more than allowed at the same time', async () => {
    handler = echo;
    await using few = pooledFetch({ maxConnections: 2 });
    const answers = await Promise.all(Array.from({ length: 8 }, async () => (await few(url)).json()));
    expect([answers.length, connections]).toEqual([8, 2]);
  });

  it('are made anew when the server closed an idle one', async () => {
    handler = (request, response) => {
      response.end('ok');
      response.once('finish', () => setImmediate(() => request.socket.destroy()));
    };
    for (let i = 0; i < 20; i++) expect(await (await pool(url)).text()).toBe('ok');
  });

  it('break when the pool is closed, which refuses what comes after', async () => {
    let asked: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (asked = resolve));
    handler = () => asked();
    const open = pool(url);
    const failed = expect(open).rejects.toThrow(TypeError);
    await arrived;
    await pool.close();
    await pool.close();
    await failed;
    await expect(pool(url)).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

describe('a signal', () => {
  it('that has fired already lets no request out', async () => {
    handler = echo;
    await expect(pool(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(connections).toBe(0);
  });

  it('ends the wait for an answer and closes the connection', async () => {
    const controller = new AbortController();
    const left = new Promise<void>((resolve) => {
      handler = (_, response) => {
        response.once('close', resolve);
        controller.abort(new Error('enough'));
      };
    });
    await expect(pool(url, { signal: controller.signal })).rejects.toThrow('enough');
    await left;
  });

  it('ends a body in the middle', async () => {
    const controller = new AbortController();
    const left = new Promise<void>((resolve) => {
      handler = (_, response) => {
        response.once('close', resolve);
        response.write('first');
      };
    });
    const response = await pool(url, { signal: controller.signal });
    const read: string[] = [];
    const reading = (async () => {
      for await (const chunk of response.body ?? []) {
        read.push(new TextDecoder().decode(chunk));
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(read).toEqual(['first']);
    await left;
  });

  it('keeps no listener once the answer was read', async () => {
    handler = echo;
    const { signal } = new AbortController();
    await (await pool(url, { signal })).json();
    await (await pool(url, { signal })).json();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a streamed body', () => {
  const pieces = Array.from({ length: 200 }, (_, i) => `piece ${i}\n`);

  it('comes whole, through its iterator and through a reader', async () => {
    handler = (_, response) => {
      for (const piece of pieces) response.write(piece);
      response.end();
    };
    let iterated = '';
    for await (const chunk of (await pool(url)).body ?? []) iterated += new TextDecoder().decode(chunk);
    let read = '';
    const reader = (await pool(url)).body?.getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      read += new TextDecoder().decode(next.value);
    expect(iterated).toBe(pieces.join(''));
    expect(read).toBe(pieces.join(''));
  });

  it.each(['iterator', 'reader'])('closes the connection when its %s is left', async (how) => {
    const left = new Promise<void>((resolve) => {
      handler = (_, response) => {
        response.once('close', resolve);
        response.write('first');
      };
    });
    const body = (await pool(url)).body;
    if (body === null) throw new Error('no body');
    if (how === 'iterator') for await (const _ of body) break;
    else await body.cancel();
    await left;
  });

  it('that breaks off is an error, after what came', async () => {
    handler = (request, response) => {
      response.write('first', () => request.socket.destroy());
    };
    let read = '';
    const reading = (async () => {
      for await (const chunk of (await pool(url)).body ?? []) read += new TextDecoder().decode(chunk);
    })();
    await expect(reading).rejects.toThrow();
    expect(read).toBe('first');
  });
});

it('refuses limits that are none', () => {
  expect(() => pooledFetch({ maxConnections: 0 })).toThrow(/maxConnections/);
  expect(() => pooledFetch({ idleTimeoutMs: -1 })).toThrow(/idleTimeoutMs/);
});
