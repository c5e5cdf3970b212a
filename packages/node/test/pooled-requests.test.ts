import { getEventListeners } from 'node:events';
import { type PooledFetch, pooledFetch } from '@vernal/node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bodyOf, httpServer, rawServer } from './loopback.js';

const pools: PooledFetch[] = [];
function pooled(...given: Parameters<typeof pooledFetch>): PooledFetch {
  const pool = pooledFetch(...given);
  pools.push(pool);
  return pool;
}
afterEach(async () => {
  vi.restoreAllMocks();
  for (const pool of pools.splice(0)) await pool.close();
});

describe('a redirect', () => {
  const WAYS = [301, 302, 303, 307, 308].flatMap((status) =>
    ['POST', 'PUT', 'GET', 'HEAD'].map((method) => [status, method] as const),
  );
  it.each(WAYS)('%i of %s asks each server once, as fetch does', async (status, method) => {
    const seen: string[][] = [];
    await using server = await httpServer(async (request, response) => {
      const { authorization = '', 'content-type': type = '' } = request.headers;
      seen.at(-1)?.push(`${request.method} ${request.url} ${await bodyOf(request)} ${authorization} ${type}`);
      if (request.url === '/') response.writeHead(status, { location: '/there' }).end();
      else response.end('ok');
    });
    const answers: unknown[] = [];
    for (const fetching of [fetch, pooled()]) {
      seen.push([]);
      const response = await fetching(server.url, {
        method,
        headers: { authorization: 'key' },
        ...(method === 'POST' || method === 'PUT' ? { body: 'once' } : {}),
      });
      answers.push([response.redirected, response.url, await response.text()]);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(answers[1]).toEqual(answers[0]);
  });

  it('to another origin leaves the credentials behind', async () => {
    await using target = await httpServer((request, response) => response.end(JSON.stringify(request.headers)));
    await using server = await httpServer((_, response) => response.writeHead(307, { location: target.url }).end());
    const response = await pooled()(server.url, {
      headers: { Authorization: 'key', Cookie: 'a=1', 'x-kept': '1' },
    });
    const headers = await response.json();
    expect(headers).toMatchObject({ 'x-kept': '1', host: new URL(target.url).host });
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('cookie');
  });

  it.each([
    ['in circles', '/', undefined],
    ['that is not wanted', '/there', 'error'],
    ['out of HTTP', 'file:///etc/passwd', undefined],
  ] as const)('%s is a failure', async (_, location, redirect) => {
    await using server = await httpServer((__, response) => response.writeHead(302, { location }).end());
    await expect(pooled()(server.url, redirect ? { redirect } : {})).rejects.toMatchObject({
      name: 'TypeError',
      message: 'fetch failed',
    });
  });
});

describe('headers', () => {
  it('of any shape arrive, repeated ones together', async () => {
    await using server = await httpServer((request, response) => response.end(request.headers['x-a']));
    const pool = pooled();
    const map = new Map([['x-a', '1']]) as unknown as Headers;
    expect(await (await pool(server.url, { headers: map })).text()).toBe('1');
    const pairs: [string, string][] = [
      ['x-a', '1'],
      ['X-A', '2'],
    ];
    expect(await (await pool(server.url, { headers: pairs })).text()).toBe('1, 2');
  });
});

describe('a kept connection that the server closed', () => {
  /** Answers the first request of each connection, and breaks off at the second. */
  async function onceEach(asked: () => void) {
    const seen = new WeakSet<object>();
    return httpServer(async (request, response) => {
      await bodyOf(request);
      if (seen.has(request.socket)) {
        asked();
        request.socket.resetAndDestroy();
        return;
      }
      seen.add(request.socket);
      // All at once, so that each has a connection of its own.
      waiting.push(() => response.end('ok'));
      if (waiting.length >= together) for (const answer of waiting.splice(0)) answer();
    });
  }
  const waiting: (() => void)[] = [];
  let together = 1;

  it('costs one more try, on a new one, however many are dead', async () => {
    together = 4;
    let broken = 0;
    await using server = await onceEach(() => broken++);
    const pool = pooled();
    const ask = async () => (await pool(server.url, { method: 'POST', body: 'x' })).text();
    await Promise.all([ask(), ask(), ask(), ask()]);
    together = 1;
    expect(await ask()).toBe('ok');
    expect([broken, server.connections]).toEqual([1, 5]);
  });

  it('costs one more try, too, when the request waited for it', async () => {
    together = 1;
    let broken = 0;
    await using server = await onceEach(() => broken++);
    const pool = pooled({ maxConnections: 1 });
    const ask = async () => (await pool(server.url, { method: 'POST', body: 'x' })).text();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['ok', 'ok', 'ok']);
    expect(broken).toBeGreaterThan(0);
  });

  it('is not tried again once the server may have worked on the request', async () => {
    together = 1;
    let broken = 0;
    const clock = vi.spyOn(performance, 'now');
    await using server = await onceEach(() => {
      broken++;
      clock.mockReturnValue(1e12);
    });
    const pool = pooled();
    const ask = async () => (await pool(server.url, { method: 'POST', body: 'x' })).text();
    await ask();
    await expect(ask()).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
    expect(broken).toBe(1);
  });
});

describe('closing', () => {
  it('lets out no request that still waits for a connection', async () => {
    let arrived = 0;
    let came = (): void => undefined;
    const first = new Promise<void>((resolve) => (came = resolve));
    await using server = await httpServer(() => {
      arrived++;
      came();
    });
    const pool = pooled({ maxConnections: 1 });
    const { signal } = new AbortController();
    const open = [1, 2, 3].map((number) => pool(`${server.url}${number}`, { signal }));
    const settled = Promise.allSettled(open);
    await first;
    await pool.close();
    for (const { status } of await settled) expect(status).toBe('rejected');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(arrived).toBe(1);
  });

  it('does not ask again for what broke by it', async () => {
    let arrived = 0;
    let came = (): void => undefined;
    const second = new Promise<void>((resolve) => (came = resolve));
    await using server = await httpServer((_, response) => {
      if (++arrived === 1) response.end('ok');
      else came();
    });
    const pool = pooled();
    await (await pool(server.url)).text();
    const open = expect(pool(server.url)).rejects.toThrow('fetch failed');
    await second;
    await pool.close();
    await open;
    expect([arrived, server.connections]).toEqual([2, 1]);
  });
});

describe('a signal', () => {
  it('over many requests warns of nothing', async () => {
    const warned: unknown[] = [];
    const warning = (one: unknown) => void warned.push(one);
    process.on('warning', warning);
    await using server = await httpServer((_, response) => response.end('ok'));
    const pool = pooled();
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 50 }, async () => (await pool(server.url, { signal })).text()));
    await new Promise(setImmediate);
    process.off('warning', warning);
    expect(warned).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each([
    ['a text', 'why'],
    ['an object', { why: 1 }],
  ])('gives its reason, also %s, in the middle of a body', async (_, reason) => {
    await using server = await httpServer((__, response) => void response.write('first'));
    const controller = new AbortController();
    const response = await pooled()(server.url, { signal: controller.signal });
    const reading = response.text();
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });
});

it('an answer without a body holds no connection', async () => {
  await using server = await httpServer((_, response) => response.setHeader('content-length', 0).end());
  const pool = pooled({ maxConnections: 1 });
  for (const init of [{ method: 'HEAD' }, { method: 'HEAD' }, {}, {}]) await pool(server.url, init);
  expect(server.connections).toBe(1);
});

it('an early answer comes through while the body is still on its way', async () => {
  await using server = await rawServer((socket) => {
    socket.pause();
    socket.end('HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\nconnection: close\r\n\r\nbig');
  });
  const response = await pooled()(server.url, { method: 'POST', body: 'x'.repeat(20_000_000) });
  expect([response.status, await response.text()]).toEqual([413, 'big']);
});

it('an idle connection does not keep the process alive', async () => {
  // Tells what keeps it alive; the other end of the connection is in this process, too.
  const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  const sides: number[] = [];
  await using server = await httpServer((_, response) => {
    sides.push(sockets());
    response.end('ok');
  });
  const pool = pooled();
  await (await pool(server.url)).text();
  await (await pool(server.url)).text();
  await new Promise(setImmediate);
  expect(server.connections).toBe(1);
  expect(sockets()).toBe((sides[1] ?? 0) - 1);
});
