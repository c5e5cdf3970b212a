// Answers of every kind, each read by the global fetch and by a pool: both must make the same of them.
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { pooledFetch } from '@vernal/node';
import { describe, expect, it } from 'vitest';
import { rawServer } from './loopback.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const SAID = `${OK}content-length: 2\r\n\r\nok`;
const PACKED = gzipSync('hello '.repeat(20));

function encoded(encoding: string, body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${OK}content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`),
    body,
  ]);
}

type Reading = (response: Response) => unknown;
const text: Reading = async (response) => [response.status, response.body === null, await response.text()];

/** What came of it, or the kind of error. */
async function outcome(fetching: typeof fetch, answer: string | Buffer, reading: Reading, init: RequestInit) {
  await using server = await rawServer((socket) => socket.end(answer));
  try {
    return await reading(await fetching(server.url, init));
  } catch (error) {
    return error instanceof TypeError ? [error.name, /^(terminated|fetch failed)$/.exec(error.message)?.[0]] : error;
  }
}

async function expectSame(answer: string | Buffer, reading: Reading, init: RequestInit = {}): Promise<void> {
  await using pool = pooledFetch();
  const [global, pooled] = [await outcome(fetch, answer, reading, init), await outcome(pool, answer, reading, init)];
  expect(pooled).toEqual(global);
}

describe('an answer is what the global fetch makes of it', () => {
  it.each<[string, string | Buffer, RequestInit?]>([
    ['a broken chunk', `${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\n`],
    ['too short', `${OK}content-length: 10\r\n\r\nhello`],
    ['no HTTP', 'garbage\r\n\r\n'],
    ['nothing', ''],
    ['a head too large', `${OK}x: ${'a'.repeat(20_000)}\r\ncontent-length: 2\r\n\r\nok`],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['a hint before it', `HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n${SAID}`],
    ['trailers', `${OK}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx-a: b\r\n\r\n`],
    ['an end by closing', `${OK}\r\nhello`],
    ['to HEAD', `${OK}content-length: 20\r\n\r\n`, { method: 'HEAD' }],
    ['to HEAD, encoded', `${OK}content-encoding: gzip\r\ncontent-length: 20\r\n\r\n`, { method: 'HEAD' }],
    ['304, encoded', 'HTTP/1.1 304 Not Modified\r\ncontent-encoding: gzip\r\n\r\n'],
    ['empty, encoded', `${OK}content-encoding: gzip\r\ncontent-length: 0\r\n\r\n`],
    ['gzip without its end', encoded('gzip', PACKED.subarray(0, -8))],
    ['what is no gzip', encoded('gzip', Buffer.from('plain'))],
    ['encoded twice', encoded('br, gzip', gzipSync(brotliCompressSync('hello')))],
    ['an unknown encoding', encoded('smoke', Buffer.from('plain'))],
    ['305 with an address', 'HTTP/1.1 305 Use Proxy\r\nlocation: /x\r\ncontent-length: 2\r\n\r\nok'],
  ])('%s', async (_, answer, init) => {
    await expectSame(answer, text, init);
  });

  it.each<[string, Reading]>([
    [
      'the first, then its copy',
      async (first) => {
        const copy = first.clone();
        return [await first.text(), await copy.text(), first.bodyUsed, copy.url === first.url];
      },
    ],
    [
      'the copy, then the first',
      async (first) => {
        const copy = first.clone();
        return [first.bodyUsed, await copy.text(), await first.text()];
      },
    ],
    [
      'a copy of a copy',
      async (first) => {
        const copy = first.clone().clone();
        return [await copy.text(), await first.text()];
      },
    ],
    [
      'a copy of what was read',
      async (first) => {
        await first.text();
        return first.clone();
      },
    ],
    [
      'twice as a blob',
      async (first) => {
        await first.blob();
        return first.blob();
      },
    ],
    [
      'after cancelling',
      async (first) => {
        await first.body?.cancel();
        return first.text();
      },
    ],
    [
      'while another reads',
      (first) => {
        first.body?.getReader();
        return first.text();
      },
    ],
    [
      'two at a time',
      async (first) => {
        const pieces = (first.body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
        const [one, two, three] = await Promise.all([pieces.next(), pieces.next(), pieces.next()]);
        return [String.fromCharCode(...one.value), two.done, three.done];
      },
    ],
  ])('read: %s', async (_, reading) => {
    await expectSame(SAID, reading);
  });
});
