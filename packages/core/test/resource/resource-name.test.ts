import { bytesResource, resourceName } from '@vernal/core';
import { expect, it } from 'vitest';

it('a resource is called by its file name in errors, else by its URI', () => {
  const uri = 'file:///docs/a.md';
  expect(resourceName({ uri, filename: 'a.md' })).toBe('a.md');
  expect(resourceName({ uri })).toBe(uri);
  expect(resourceName(bytesResource('x'))).toBe('The resource');
});
