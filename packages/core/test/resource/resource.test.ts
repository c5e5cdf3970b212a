import { bytesResource } from '@vernal/core';
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
