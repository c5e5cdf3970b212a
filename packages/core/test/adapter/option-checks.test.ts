import { requireCount, requireOptionNames } from '@vernal/core/adapter';
import { expect, it } from 'vitest';

it.each([
  [{ pagesize: 1 }, 'pagesize'],
  [null, 'options'],
  ['text', 'options'],
  [{ ['x'.repeat(500)]: 1 }, 'x'.repeat(80)],
])('refuses what is no option: %#', (options, subject) => {
  expect(() => requireOptionNames(options as { pageSize?: number }, ['pageSize'])).toThrow(
    expect.objectContaining({ code: 'invalid_argument', subject }),
  );
});

it('takes what is one, also when it is undefined', () => {
  expect(() =>
    requireOptionNames<{ pageSize?: number | undefined }>({ pageSize: undefined }, ['pageSize']),
  ).not.toThrow();
});

it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3', 11])('refuses %j as a count up to ten', (value) => {
  expect(() => requireCount(value as number, 'n', 10)).toThrow(expect.objectContaining({ subject: 'n' }));
});

it('gives a count back', () => {
  expect([requireCount(1, 'n'), requireCount(10, 'n', 10)]).toEqual([1, 10]);
});
