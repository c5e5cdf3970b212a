import { readerLimits } from '@vernal/core/adapter';
import { expect, it } from 'vitest';

interface Limits {
  readonly maxFileBytes?: number | undefined;
  readonly maxDepth?: number | undefined;
}
const defaults = { maxFileBytes: 100, maxDepth: 5 };
const of = (limits?: Limits) => readerLimits<Limits>(limits, defaults);

it('limits that are left out are the defaults, Infinity is none', () => {
  expect(of()).toEqual(defaults);
  expect(of({ maxDepth: undefined })).toEqual(defaults);
  expect(of({ maxFileBytes: Number.POSITIVE_INFINITY })).toEqual({
    ...defaults,
    maxFileBytes: Number.POSITIVE_INFINITY,
  });
});

it.each<[string, unknown, string]>([
  ['0', { maxFileBytes: 0 }, 'limits.maxFileBytes'],
  ['no number', { maxFileBytes: Number.NaN }, 'limits.maxFileBytes'],
  ['text', { maxDepth: '5' }, 'limits.maxDepth'],
  ['a name that is no limit', { maxBytes: 5 }, 'maxBytes'],
  ['null', null, 'limits'],
  ['a number', 5, 'limits'],
])('%s is refused', (_, limits, subject) => {
  expect(() => of(limits as Limits)).toThrow(expect.objectContaining({ code: 'invalid_argument', subject }));
});
