import { bytesResource, requireResource, resourceName, sourceMetadata } from '@vernal/core';
import { describe, expect, it } from 'vitest';

describe('what a resource is called', () => {
  const uri = 'file:///docs/a.md';

  it('is its file name in errors, else its URI', () => {
    expect(resourceName({ uri, filename: 'a.md' })).toBe('a.md');
    expect(resourceName({ uri })).toBe(uri);
    expect(resourceName(bytesResource('x'))).toBe('The resource');
  });

  it('is its URI in metadata, so that equal names in two folders stay apart, else its file name', () => {
    expect(sourceMetadata({ uri, filename: 'a.md' })).toEqual({ source: uri, file_name: 'a.md' });
    expect(sourceMetadata({ filename: 'a.md' })).toEqual({ source: 'a.md' });
  });

  it('is asked of resources only', () => {
    expect(() => requireResource(bytesResource('x'))).not.toThrow();
    for (const wrong of ['a.md', undefined, null, {}]) {
      expect(() => requireResource(wrong as never)).toThrow(
        expect.objectContaining({ code: 'invalid_argument', subject: 'resource' }),
      );
    }
  });
});
