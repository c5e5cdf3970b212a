import { isRecord } from '@vernal/core';
import { expect, it } from 'vitest';

it('an object is a record; null, lists and all else are none', () => {
  for (const value of [{}, { a: 1 }, Object.create(null), JSON.parse('{"__proto__":1}')]) {
    expect(isRecord(value)).toBe(true);
  }
  for (const value of [null, undefined, [], [{}], 'a', 0, true, () => ({})]) expect(isRecord(value)).toBe(false);
});
