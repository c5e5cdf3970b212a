import { invalidArgument } from '@vernal/core';
import { requireOptionNames } from './option-checks.js';

/**
 * For the constructors of readers: the `limits` of their options, with nothing left out. Infinity is no limit.
 *
 * @throws VernalError `invalid_argument` for a limit that is not a number above 0, and for a name that is no limit
 * @example
 * const { maxFileBytes } = readerLimits(options.limits, { maxFileBytes: 52_428_800 });
 */
export function readerLimits<T extends object>(
  limits: T | undefined,
  defaults: { readonly [K in keyof T]-?: number },
): { readonly [K in keyof T]-?: number } {
  if (limits === undefined) return defaults;
  if (typeof limits !== 'object' || limits === null) throw invalidArgument('limits', 'must be an object');
  const names = Object.keys(defaults) as (keyof T & string)[];
  requireOptionNames<T>(limits, names);
  const resolved: Record<string, number> = { ...defaults };
  for (const name of names) {
    const limit: unknown = limits[name];
    if (limit === undefined) continue;
    if (typeof limit !== 'number' || !(limit > 0)) throw invalidArgument(`limits.${name}`, 'must be a number above 0');
    resolved[name] = limit;
  }
  return resolved as { readonly [K in keyof T]-?: number };
}
