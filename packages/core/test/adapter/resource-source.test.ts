import { bytesResource } from '@vernal/core';
import { requireResource, sourceMetadata } from '@vernal/core/adapter';
import { expect, it } from 'vitest';

it('the source of a document is a URI, so that equal names in two folders stay apart, else the file name', () => {
  const uri = 'file:///docs/a.md';
  expect(sourceMetadata({ uri, filename: 'a.md' })).toEqual({ source: uri, file_name: 'a.md' });
  expect(sourceMetadata({ filename: 'a.md' })).toEqual({ source: 'a.md' });
});

it('a reader takes resources only', () => {
  expect(() => requireResource(bytesResource('x'))).not.toThrow();
  for (const wrong of ['a.md', undefined, null, {}]) {
    expect(() => requireResource(wrong as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'resource' }),
    );
  }
});
