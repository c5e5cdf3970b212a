import { bytesResource, readText } from '@vernal/core';
import { describe, expect, it } from 'vitest';

describe('bytesResource', () => {
  it('holds text as UTF-8 and can be read more than once', async () => {
    const resource = bytesResource('é', { filename: 'a.txt', mimeType: 'text/plain', uri: 'mem:a' });
    expect(resource).toMatchObject({ filename: 'a.txt', mimeType: 'text/plain', uri: 'mem:a' });
    expect([...(await resource.bytes())]).toEqual([0xc3, 0xa9]);
    expect([...(await resource.bytes())]).toEqual([0xc3, 0xa9]);
    expect(Object.keys(bytesResource(new Uint8Array()))).toEqual(['bytes']);
  });

  it('heeds a signal and refuses what is neither text nor bytes', async () => {
    await expect(bytesResource('x').bytes({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    expect(() => bytesResource(7 as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'content' }),
    );
  });
});

describe('readText', () => {
  const read = (bytes: number[], mimeType?: string, encoding?: string): Promise<string> =>
    readText(bytesResource(new Uint8Array(bytes), { mimeType }), { encoding });

  it('decodes UTF-8, honours and removes byte order marks', async () => {
    expect(await read([0xc3, 0xa9])).toBe('é');
    expect(await read([0xef, 0xbb, 0xbf, 0x61])).toBe('a');
    expect(await read([0xff, 0xfe, 0x61, 0x00])).toBe('a');
    expect(await read([0xfe, 0xff, 0x00, 0x61], undefined, 'utf-8')).toBe('a');
    expect(await read([])).toBe('');
  });

  it('takes the given encoding, else the charset of the MIME type', async () => {
    expect(await read([0xe9], undefined, 'latin1')).toBe('é');
    expect(await read([0xc4, 0xe3], 'text/html; charset="gbk"')).toBe('你');
    expect(await read([0xe9], 'text/plain; charset=gbk', 'latin1')).toBe('é');
  });

  it('replaces what is no text, and names an unknown encoding', async () => {
    expect(await read([0x61, 0xff])).toBe('a\uFFFD');
    await expect(read([0x61], undefined, 'klingon')).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'encoding',
    });
  });
});
