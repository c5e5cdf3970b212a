import { bytesResource, type Resource, VernalError } from '@vernal/core';
import { readBytes } from '@vernal/core/adapter';
import { describe, expect, it } from 'vitest';

interface Source {
  given: number;
  closed: number;
  readonly resource: Resource;
}

/** `count` pieces of that many bytes, each byte its piece's number. */
function pieces(size: number, count = Number.POSITIVE_INFINITY): Source {
  const source: Source = {
    given: 0,
    closed: 0,
    resource: {
      filename: 'a.txt',
      bytes: () => Promise.reject(new Error('the stream is to be read')),
      async *stream() {
        try {
          for (let at = 0; at < count; at++) {
            source.given++;
            yield new Uint8Array(size).fill(at);
          }
        } finally {
          source.closed++;
        }
      },
    },
  };
  return source;
}

describe('readBytes', () => {
  it.each([
    [1, 70_000],
    [3, 50_000],
    [65_536, 3],
    [100_000, 2],
    [7, 0],
  ])('joins pieces of %i bytes, %i of them', async (size, count) => {
    const { resource } = pieces(size, count);
    const expected = new Uint8Array(size * count).map((_, at) => Math.floor(at / size));
    expect(Buffer.compare(await readBytes(resource, size * count || 1), expected)).toBe(0);
  });

  it('does not copy a single piece', async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    expect(await readBytes(bytesResource(bytes), 3)).toBe(bytes);
    const streamed: Resource = {
      bytes: async () => bytes,
      async *stream() {
        yield bytes;
      },
    };
    expect(await readBytes(streamed, 3)).toBe(bytes);
  });

  it('keeps no piece but the first: small ones may be views of large buffers', async () => {
    const resource: Resource = {
      bytes: () => Promise.reject(new Error('the stream is to be read')),
      async *stream() {
        for (let at = 1; at <= 9; at++) {
          const piece = new Uint8Array(20_000).fill(at);
          yield piece;
          if (at > 1) piece.fill(0);
        }
      },
    };
    expect(new Set(await readBytes(resource, 180_000))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]));
  });

  it('stops and closes the stream with the first piece that is too much', async () => {
    const source = pieces(1_000);
    const error = await readBytes(source.resource, 10_000).catch((caught: unknown) => caught);
    if (!VernalError.is(error)) throw error;
    expect([error.code, error.subject, error.details]).toEqual([
      'resource',
      'a.txt',
      { reason: 'too_large', limit: 'maxFileBytes', most: 10_000 },
    ]);
    expect(error.message).toContain('a.txt');
    expect(error.message).toContain('limits.maxFileBytes');
    expect([source.given, source.closed]).toEqual([11, 1]);
  });

  it('holds the limit for a resource without a stream, to the byte', async () => {
    expect(await readBytes(bytesResource('12345'), 5)).toHaveLength(5);
    expect(await readBytes(bytesResource('12345'), Number.POSITIVE_INFINITY)).toHaveLength(5);
    await expect(readBytes(bytesResource('123456'), 5)).rejects.toMatchObject({ details: { reason: 'too_large' } });
  });

  it('honours the signal, before it opens anything and at each piece', async () => {
    const source = pieces(1);
    await expect(readBytes(source.resource, 5, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(source.given).toBe(0);
    const controller = new AbortController();
    const aborting: Resource = {
      ...source.resource,
      async *stream() {
        try {
          controller.abort();
          yield Uint8Array.of(1);
        } finally {
          source.closed++;
        }
      },
    };
    await expect(readBytes(aborting, 5, { signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' });
    expect(source.closed).toBe(1);
  });

  it('refuses what is no bytes, and lets the errors of the resource through', async () => {
    const text = { filename: 'a.txt', bytes: async () => 'Hello' } as unknown as Resource;
    await expect(readBytes(text, 5)).rejects.toMatchObject({ subject: 'a.txt', details: { reason: 'not_bytes' } });
    const lost = new Error('gone');
    await expect(readBytes({ bytes: () => Promise.reject(lost) }, 5)).rejects.toBe(lost);
  });
});
