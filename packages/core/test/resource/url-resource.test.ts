import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { mediaFrom, readText, type UrlResourceOptions, urlResource } from '@vernal/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const answer = (status: number, headers: Record<string, string> = {}, body: string | null = null): Response =>
  new Response(body, { status, headers });

/** Answers by host and path; what is not there is 404. */
function fetching(pages: Record<string, () => Response>) {
  return vi.fn(async (input: string | URL | Request, _init?: RequestInit) => {
    const url = new URL(String(input));
    return (pages[`${url.host}${url.pathname}`] ?? (() => answer(404)))();
  });
}

const read = (url: string, options: UrlResourceOptions): Promise<string> => readText(urlResource(url, options));

describe('the address guard', () => {
  it.each([
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://db/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://127.0.0.1./',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest',
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://１２７.0.0.1/',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:0:10.0.0.1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[64:ff9b:1::1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:1::1]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[fc00::1]/',
    'http://[fd12:3456::1]/',
    'http://[ff02::1]/',
    'http://[100::1]/',
  ])('refuses %s', (url) => {
    expect(() => urlResource(url)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject: 'url' }));
    expect(urlResource(url, { allowPrivateAddresses: true }).uri).toBe(new URL(url).href);
  });

  it.each([
    'http://example.com/',
    'https://8.8.8.8/',
    'http://172.32.0.1/',
    'http://172.15.0.1/',
    'http://11.0.0.1/',
    'http://128.0.0.1/',
    'http://192.169.0.1/',
    'http://100.128.0.1/',
    'http://223.255.255.255/',
    'http://[2606:4700::1111]/',
    'http://[::ffff:8.8.8.8]/',
    'http://[64:ff9b::8.8.8.8]/',
    'http://[2002:808:808::1]/',
    'http://localhost.example.com/',
    'http://notlocal.com/',
    'http://10.0.0.1.example.com/',
  ])('lets %s pass', (url) => {
    expect(urlResource(url).uri).toBe(new URL(url).href);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://example.com/',
    'data:text/plain,x',
    'not a url',
    '',
    'http://user:pw@example.com/',
  ])('refuses %s', (url) => {
    expect(() => urlResource(url)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject: 'url' }));
  });
});

describe('urlResource', () => {
  it('reads each time it is asked; names and types come from the URL and the answer', async () => {
    const fetch = fetching({
      'a.test/dir/my%20page.html': () => answer(200, { 'content-type': 'text/html; charset=gbk' }, 'hi'),
    });
    const resource = urlResource('http://a.test/dir/my%20page.html?x=1', { fetch, headers: { 'x-key': 'k' } });
    expect(fetch).not.toHaveBeenCalled();
    expect(resource).toMatchObject({ uri: 'http://a.test/dir/my%20page.html?x=1', filename: 'my page.html' });
    expect(resource.mimeType).toBeUndefined();
    expect(await readText(resource)).toBe('hi');
    expect(resource.mimeType).toBe('text/html; charset=gbk');
    expect(await readText(resource)).toBe('hi');
    expect(fetch.mock.calls.map(([, init]) => init?.headers)).toEqual([{ 'x-key': 'k' }, { 'x-key': 'k' }]);
  });

  it('prefers what it was told, and never lets a name be a path', async () => {
    const fetch = fetching({ 'a.test/x': () => answer(200, { 'content-type': 'text/html' }, '') });
    const resource = urlResource('http://a.test/x', { fetch, mimeType: 'image/png', filename: 'f', uri: 'u' });
    expect(await mediaFrom(resource, { name: 'n' })).toMatchObject({ mimeType: 'image/png' });
    expect(resource).toMatchObject({ uri: 'u', filename: 'f', mimeType: 'image/png' });
    expect(urlResource('http://a.test/..%2f..%2fetc%2Fpasswd').filename).toBe('passwd');
    expect(urlResource('http://a.test/a%5Cb.txt').filename).toBe('b.txt');
    expect(urlResource('http://a.test/%ff').filename).toBe('%ff');
    expect('filename' in urlResource('http://a.test/')).toBe(false);
  });

  it('follows redirects, checks each, and keeps its headers from other origins', async () => {
    const fetch = fetching({
      'a.test/': () => answer(302, { location: '/b' }),
      'a.test/b': () => answer(308, { location: 'https://c.test/d' }),
      'c.test/d': () => answer(200, {}, 'end'),
    });
    expect(await read('http://a.test/', { fetch, headers: { authorization: 'secret' } })).toBe('end');
    expect(fetch.mock.calls.map(([url, init]) => [String(url), init?.headers, init?.redirect])).toEqual([
      ['http://a.test/', { authorization: 'secret' }, 'manual'],
      ['http://a.test/b', { authorization: 'secret' }, 'manual'],
      ['https://c.test/d', {}, 'manual'],
    ]);
  });

  it.each([
    ['a private address', 'http://169.254.169.254/latest'],
    ['a private address in disguise', 'http://[::ffff:7f00:1]/'],
    ['another scheme', 'file:///etc/passwd'],
    ['a URL with a password', 'http://u:p@b.test/'],
    ['nonsense', 'http://'],
    ['itself', '/'],
  ])('does not follow a redirect to %s', async (_name, location) => {
    const fetch = fetching({ 'a.test/': () => answer(301, { location }) });
    await expect(read('http://a.test/?token=SECRET', { fetch })).rejects.toMatchObject({
      code: 'resource',
      subject: 'url',
    });
    await expect(read('http://a.test/?token=SECRET', { fetch })).rejects.not.toThrow('SECRET');
  });

  it('says what the status was, and whether trying again helps', async () => {
    const fetch = fetching({ 'a.test/busy': () => answer(503, { 'retry-after': '2' }) });
    await expect(read('http://a.test/gone', { fetch })).rejects.toMatchObject({
      code: 'resource',
      details: { status: 404 },
      retryable: false,
    });
    await expect(read('http://a.test/busy', { fetch })).rejects.toMatchObject({
      details: { status: 503 },
      retryable: true,
      retryAfterMs: 2_000,
    });
    const cause = Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
    await expect(read('http://a.test/', { fetch: async () => Promise.reject(cause) })).rejects.toMatchObject({
      code: 'resource',
      retryable: true,
      cause: { name: 'TypeError', message: 'fetch failed', code: 'ECONNRESET' },
    });
    await expect(
      read('http://a.test/', { fetch: async () => ({ ok: false, type: 'opaqueredirect', body: null }) as Response }),
    ).rejects.toThrow('final URL');
  });

  it('names no path and no query, whatever fetch says of them and how', async () => {
    const url = 'http://a.test/SECRET?token=SECRET';
    const error = (asked: unknown): Error => new Error(`request to ${String(asked)} failed`);
    const fetches: UrlResourceOptions['fetch'][] = [
      (asked) => {
        throw error(asked);
      },
      async (asked) => Promise.reject(error(asked)),
      async (asked) => new Response(new ReadableStream({ pull: (controller) => controller.error(error(asked)) })),
    ];
    for (const fetch of fetches) {
      const thrown = await read(url, { fetch }).catch((caught: unknown) => caught);
      expect(thrown).toMatchObject({ code: 'resource', retryable: true });
      expect(inspect(thrown, { depth: 9 })).not.toContain('SECRET');
    }
  });

  it('refuses more than maxBytes, declared or not', async () => {
    const cancel = vi.fn();
    const endless = (): Response =>
      new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(10)), cancel }), {
        status: 200,
      });
    const fetch = fetching({
      'a.test/declared': () => answer(200, { 'content-length': '11' }, '12345678901'),
      'a.test/endless': endless,
    });
    await expect(read('http://a.test/declared', { fetch, maxBytes: 10 })).rejects.toMatchObject({
      code: 'resource',
      details: { maxBytes: 10 },
    });
    await expect(read('http://a.test/endless', { fetch, maxBytes: 100 })).rejects.toMatchObject({ code: 'resource' });
    expect(cancel).toHaveBeenCalledTimes(1);
    expect(await read('http://a.test/declared', { fetch, maxBytes: 11 })).toBe('12345678901');
  });

  it('takes an answer without a body for empty', async () => {
    expect(await read('http://a.test/', { fetch: fetching({ 'a.test/': () => answer(204) }) })).toBe('');
  });
});

describe('urlResource over a socket', () => {
  let server: Server;
  let base: string;
  const closed = withResolvers();

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/text') return response.setHeader('content-type', 'text/plain').end('over the wire');
      const timer = setInterval(() => response.write('x'.repeat(1_000)), 1);
      response.on('close', () => {
        clearInterval(timer);
        closed.resolve(undefined);
      });
      return undefined;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it("reads with the platform's fetch", async () => {
    expect(await read(`${base}/text`, { allowPrivateAddresses: true })).toBe('over the wire');
  });

  it('closes the connection when the loop is left', async () => {
    const { stream } = urlResource(`${base}/endless`, { allowPrivateAddresses: true });
    for await (const piece of stream?.() ?? []) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await closed.promise;
  });

  it('stops when its signal aborts', async () => {
    const controller = new AbortController();
    const { stream } = urlResource(`${base}/endless`, { allowPrivateAddresses: true });
    const reading = (async () => {
      for await (const _ of stream?.({ signal: controller.signal }) ?? []) controller.abort('enough');
    })();
    await expect(reading).rejects.toMatchObject({ code: 'aborted', cause: 'enough' });
    await expect(
      urlResource(`${base}/text`, { allowPrivateAddresses: true }).bytes({ signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'aborted' });
  });
});

function withResolvers(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
