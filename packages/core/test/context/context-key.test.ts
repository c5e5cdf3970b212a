import { contextKey, contextValue } from '@vernal/core';
import { describe, expect, expectTypeOf, it } from 'vitest';

describe('contextKey', () => {
  const tenant = contextKey<string>('tenant');

  it('is its name, and types the value under it', () => {
    expect(tenant).toBe('tenant');
    const value = contextValue({ [tenant]: 'acme' }, tenant);
    expectTypeOf(value).toEqualTypeOf<string | undefined>();
    expect(value).toBe('acme');
    expect(contextValue({}, tenant)).toBeUndefined();
  });

  it('never finds what an object inherits', () => {
    expect(contextValue({}, contextKey<unknown>('toString'))).toBeUndefined();
  });
});
