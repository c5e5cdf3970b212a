import { bytesResource, type Resource, readText, streamText } from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

async function collect(pieces: AsyncIterable<string>): Promise<string[]> {
  const list: string[] = [];
  for await (const piece of pieces) list.push(piece);
  return list;
}

function inPieces(bytes: Uint8Array, size: number, onClose?: () => void): Resource {
  return {
    ...bytesResource(bytes, { filename: 'a.txt' }),
    async *stream() {
      try {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      } finally {
        onClose?.();
      }
    },
  };
}

describe('readText', () => {
  it('decodes as decodeText does, by the MIME type of the resource and by the options', async () => {
    const resource = bytesResource(Uint8Array.of(0xc4, 0xe3), { mimeType: 'text/plain; charset=gbk' });
    expect(await readText(resource)).toBe('你');
    expect(await readText(resource, { encoding: 'latin1' })).toBe('Äã');
    expect(await readText(bytesResource(Uint8Array.of(0x80)), { encoding: 'windows-1252' })).toBe('€');
  });

  it('refuses what is no text, names the resource, and is lenient when told to', async () => {
    const resource = bytesResource(Uint8Array.of(0x61, 0xff), { filename: 'a.bin' });
    await expect(readText(resource)).rejects.toMatchObject({
      code: 'resource',
      subject: 'a.bin',
      details: { reason: 'undecodable' },
    });
    expect(await readText(resource, { fatal: false })).toBe('a\uFFFD');
    await expect(readText(resource, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('streamText', () => {
  it('gives or refuses what readText gives or refuses, wherever the bytes are cut', async () => {
    const text = fc.string({ unit: 'binary' });
    const contents = fc.oneof(
      fc.uint8Array(),
      text.map((one) => new TextEncoder().encode(`\uFEFF${one}`)),
      text.map((one) => Uint8Array.from(Buffer.from(`\uFEFF${one}`, 'utf16le'))),
    );
    const encodings = fc.constantFrom(undefined, 'latin1', 'gb18030', 'euc-jp', 'shift_jis', 'utf-16be');
    const sizes = fc.integer({ min: 1, max: 5 });
    await fc.assert(
      fc.asyncProperty(contents, encodings, fc.boolean(), sizes, async (bytes, encoding, fatal, size) => {
        const options = { encoding, fatal };
        const [whole, pieces] = await Promise.allSettled([
          readText(bytesResource(bytes, { filename: 'a.txt' }), options),
          collect(streamText(inPieces(bytes, size), options)),
        ]);
        if (whole.status === 'fulfilled' && pieces.status === 'fulfilled') {
          expect(pieces.value.join('')).toBe(whole.value);
          expect(pieces.value).not.toContain('');
        } else {
          // Of two faults the whole tells the first that makes it unreadable, pieces the first that comes.
          const reasons = [whole, pieces].map((one) =>
            one.status === 'rejected' ? one.reason.details.reason : 'it was read',
          );
          if (reasons[0] !== reasons[1]) expect(reasons).toEqual(['undecodable', 'binary']);
        }
      }),
    );
  });

  it('replaces what is wrong wherever it is cut', async () => {
    for (const [encoding, bytes] of [
      ['gb18030', [0x61, 0x0a, 0x81, 0x30, 0x41, 0x0a, 0xcc, 0x31, 0x4c]],
      ['gb18030', [0xa8, 0x35, 0xac, 0x92]],
      ['euc-jp', [0x4d, 0x45, 0x8f, 0xbb, 0x32, 0x0a, 0x8f]],
    ] as const) {
      const whole = await readText(bytesResource(Uint8Array.from(bytes)), { encoding, fatal: false });
      expect(whole).toContain('\uFFFD');
      for (const size of [1, 2, 3]) {
        const pieces = await collect(streamText(inPieces(Uint8Array.from(bytes), size), { encoding, fatal: false }));
        expect(pieces.join('')).toBe(whole);
      }
    }
  });

  it('takes the MIME type that a resource knows only once its bytes come', async () => {
    const late = { mimeType: 'text/plain' };
    const resource: Resource = Object.assign(late, {
      bytes: async () => new Uint8Array(),
      async *stream() {
        late.mimeType = 'text/plain; charset=gbk';
        yield Uint8Array.of(0xc4);
        yield Uint8Array.of(0xe3);
      },
    });
    expect(await collect(streamText(resource))).toEqual(['你']);
  });

  it('gives what is whole before what is wrong, and closes the resource', async () => {
    let closed = 0;
    const bytes = Uint8Array.of(0x61, 0x62, 0x63, 0x64, 0xff, 0x65);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const piece of streamText(inPieces(bytes, 2, () => closed++))) seen.push(piece);
    })();
    await expect(reading).rejects.toMatchObject({ subject: 'a.txt', details: { reason: 'undecodable' } });
    expect(seen.join('')).toBe('abcd');
    for await (const piece of streamText(inPieces(bytes, 4, () => closed++))) {
      expect(piece).toBe('abcd');
      break;
    }
    expect(closed).toBe(2);
  });

  it('reads a resource that does not stream as one piece, and heeds the signal between pieces', async () => {
    expect(await collect(streamText(bytesResource('one')))).toEqual(['one']);
    expect(await collect(streamText(bytesResource('')))).toEqual([]);
    const controller = new AbortController();
    const reading = (async () => {
      for await (const _ of streamText(inPieces(new TextEncoder().encode('abcdef'), 3), {
        signal: controller.signal,
      })) {
        controller.abort();
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
  });
});
