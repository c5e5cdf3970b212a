import { bytesResource, type MimeType, media, mediaBase64, mediaBytes, mediaFrom } from '@vernal/core';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';

describe('media', () => {
  it('takes bytes, URLs and sources as they are', () => {
    const bytes = new Uint8Array([1, 2]);
    expect(media('image/png', bytes, { name: 'n', id: 'i' })).toEqual({
      mimeType: 'image/png',
      source: { type: 'bytes', bytes },
      id: 'i',
      name: 'n',
    });
    expect(media('image/png', 'https://x.test/a.png').source).toEqual({ type: 'url', url: 'https://x.test/a.png' });
    expect(media('image/png', new URL('https://x.test/a.png')).source).toEqual({
      type: 'url',
      url: 'https://x.test/a.png',
    });
    expect(media('image/png', { type: 'base64', base64: 'AAAA' }).source).toEqual({ type: 'base64', base64: 'AAAA' });
  });

  it('makes up a name that says the subtype and differs each time', () => {
    const names = [media('image/svg+xml', new Uint8Array()).name, media('image/svg+xml', new Uint8Array()).name];
    expect(names[0]).toMatch(/^media-svg-xml-[a-z0-9]+$/);
    expect(names[0]).not.toBe(names[1]);
  });

  it('completes the formats that models take most, and takes any other', () => {
    const known = [
      'application/pdf',
      'image/webp',
      'text/markdown',
      'video/3gpp',
    ] as const satisfies readonly MimeType[];
    const other: MimeType = 'model/gltf+json; v=2';
    for (const mimeType of [...known, other]) expect(media(mimeType, new Uint8Array()).mimeType).toBe(mimeType);
    expectTypeOf(media).parameter(0).toEqualTypeOf<MimeType>();
  });

  it.each([
    ['data:image/png;base64,AQID', [1, 2, 3]],
    ['data:image/png;name=a;base64,AQ%3D%3D', [1]],
    ['data:image/png;base64,AQ%3d=%0a', [1]],
    ['data:text/plain,a%20b', [97, 32, 98]],
    ['data:,%ff%00', [255, 0]],
    ['DATA:text/plain;charset=utf-8,50%', [53, 48, 37]],
  ])('turns %s into base64', (url, expected) => {
    const made = media('image/png', url);
    expect(made.source.type).toBe('base64');
    expect([...mediaBytes(made)]).toEqual(expected);
  });

  it('mends white space, the URL-safe alphabet and missing padding', () => {
    for (const base64 of ['+/8=', '-_8', '+/\n8=']) {
      expect([...mediaBytes(media('a/b', { type: 'base64', base64 }))]).toEqual([0xfb, 0xff]);
    }
  });

  it.each<[unknown, unknown, string]>([
    ['png', new Uint8Array(), 'mimeType'],
    ['', new Uint8Array(), 'mimeType'],
    [undefined, new Uint8Array(), 'mimeType'],
    ['image/png', 'AAAA', 'data'],
    ['image/png', undefined, 'data'],
    ['image/png', { type: 'bytes', bytes: 'x' }, 'data.bytes'],
    ['image/png', { type: 'base64', base64: 'A' }, 'data.base64'],
    ['image/png', { type: 'base64', base64: 'AA=A' }, 'data.base64'],
    ['image/png', { type: 'base64', base64: 'ä' }, 'data.base64'],
  ])('refuses %j with %j', (mimeType, data, subject) => {
    expect(() => media(mimeType as never, data as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });

  it('says the same as bytes and as base64, for every length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const base64 = mediaBase64(media('a/b', bytes));
        expect(base64).toBe(Buffer.from(bytes).toString('base64'));
        expect(mediaBytes(media('a/b', { type: 'base64', base64 }))).toEqual(bytes);
      }),
    );
    const large = new Uint8Array(100_000).map((_, i) => i * 31);
    expect(mediaBase64(media('a/b', large))).toBe(Buffer.from(large).toString('base64'));
  });

  it('has no content for a URL', () => {
    const url = media('image/png', 'https://x.test/');
    for (const read of [mediaBytes, mediaBase64]) {
      expect(() => read(url)).toThrow(expect.objectContaining({ code: 'invalid_state', subject: 'media.source' }));
    }
  });
});

describe('mediaFrom', () => {
  it('reads the resource and takes its type unless one is given', async () => {
    const resource = bytesResource(new Uint8Array([7]), { mimeType: 'image/gif' });
    expect(await mediaFrom(resource, { name: 'n' })).toEqual({
      mimeType: 'image/gif',
      source: { type: 'bytes', bytes: new Uint8Array([7]) },
      name: 'n',
    });
    expect((await mediaFrom(resource, { mimeType: 'image/webp' })).mimeType).toBe('image/webp');
    const found = bytesResource('x', {
      uri: 'file:///home/me/plans.pdf',
      filename: 'plans.pdf',
      mimeType: 'application/pdf',
    });
    // A model may read the name: it says nothing of where the content was.
    expect((await mediaFrom(found)).name).toMatch(/^media-pdf-[a-z0-9]+$/);
    await expect(mediaFrom(bytesResource('x'))).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'mimeType',
    });
  });
});
