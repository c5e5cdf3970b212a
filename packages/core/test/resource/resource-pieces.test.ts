import { bytesResource, type Resource, readText, resourcePieces, streamText } from '@vernal/core';
import { describe, expect, it } from 'vitest';

async function collect<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const piece of pieces) list.push(piece);
  return list;
}

/** What untyped callers may pass. */
const giving = (part: object): Resource => ({ filename: 'a.txt', ...part }) as unknown as Resource;
const streaming = (...pieces: unknown[]): Resource =>
  giving({
    async *stream() {
      yield* pieces;
    },
  });

describe('resourcePieces', () => {
  it('gives what the stream gives, without empty pieces, or all bytes where there is no stream', async () => {
    const bytes = Uint8Array.of(1, 2);
    expect(await collect(resourcePieces(bytesResource(bytes)))).toEqual([bytes]);
    expect((await collect(resourcePieces(bytesResource(bytes))))[0]).toBe(bytes);
    expect(await collect(resourcePieces(streaming(bytes, new Uint8Array(0), Buffer.of(3))))).toEqual([
      bytes,
      Buffer.of(3),
    ]);
    expect(await collect(resourcePieces(bytesResource('')))).toEqual([]);
    expect(await collect(resourcePieces(giving({ stream: undefined, bytes: async () => bytes })))).toEqual([bytes]);
  });

  it.each<[string, Resource, string]>([
    ['text', giving({ bytes: async () => 'Hello' }), 'text'],
    ['nothing', giving({ bytes: async () => undefined }), 'undefined'],
    ['null', giving({ bytes: async () => null }), 'null'],
    ['a buffer without a view', giving({ bytes: async () => new ArrayBuffer(2) }), 'object'],
    ['numbers', giving({ bytes: async () => [1, 2] }), 'object'],
    ['other views', giving({ bytes: async () => new Uint16Array(2) }), 'object'],
    ['a stream of text', streaming('Hello'), 'text'],
    ['a stream that turns to nothing', streaming(Uint8Array.of(1), undefined), 'undefined'],
    ['no stream', giving({ stream: () => undefined }), 'undefined'],
    ['a promise of a stream', giving({ stream: async () => [Uint8Array.of(1)] }), 'object'],
  ])('refuses %s in place of bytes, and names the resource', async (_, resource, type) => {
    const refused = { code: 'resource', subject: 'a.txt', details: { reason: 'not_bytes', type } };
    await expect(collect(resourcePieces(resource))).rejects.toMatchObject(refused);
    await expect(collect(streamText(resource))).rejects.toMatchObject(refused);
    if (!('stream' in resource)) await expect(readText(resource)).rejects.toMatchObject(refused);
  });

  it('honours the signal at each piece, and closes the resource, also when it is left', async () => {
    const controller = new AbortController();
    let closed = 0;
    let given = 0;
    const endless = giving({
      async *stream() {
        try {
          for (;;) {
            if (++given === 3) controller.abort();
            yield Uint8Array.of(1);
          }
        } finally {
          closed++;
        }
      },
    });
    await expect(collect(resourcePieces(endless, { signal: controller.signal }))).rejects.toMatchObject({
      code: 'aborted',
    });
    expect([given, closed]).toEqual([3, 1]);
    for await (const _ of resourcePieces(endless)) break;
    expect(closed).toBe(2);
    await expect(collect(resourcePieces(endless, { signal: controller.signal }))).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(closed).toBe(2);
  });
});
