import { isEncoding, requireEncoding } from '@vernal/core/adapter';
import { expect, it } from 'vitest';

it.each(['utf-8', 'UTF-16LE', 'windows-1252', 'latin1', 'gb18030'])('%s is an encoding', (label) => {
  expect(isEncoding(label)).toBe(true);
  expect(() => requireEncoding(label)).not.toThrow();
});

it.each(['', 'utf-9', 'klingon'])("'%s' is none, and a reader refuses it", (label) => {
  expect(isEncoding(label)).toBe(false);
  expect(() => requireEncoding(label)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', subject: 'encoding' }),
  );
});

it('a reader needs no encoding', () => {
  expect(isEncoding(undefined)).toBe(false);
  expect(() => requireEncoding(undefined)).not.toThrow();
});
