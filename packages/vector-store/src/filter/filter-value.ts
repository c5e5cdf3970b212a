import { VernalError } from '@vernal/core';
import type { FilterComparison, FilterScalar } from './filter-expression.js';

/** The comparisons that need an order. */
export function isOrdered(type: unknown): boolean {
  return type === 'GT' || type === 'GTE' || type === 'LT' || type === 'LTE';
}

export function isFilterComparison(type: unknown): type is FilterComparison {
  return type === 'EQ' || type === 'NE' || isOrdered(type);
}

export function filterInvalid(path: string, message: string): never {
  throw new VernalError(`${path}: ${message}`, { code: 'filter_invalid', subject: path });
}

/** A value as it stands in a tree; `Date` becomes ISO-8601 text. Anything else that JSON cannot hold is `filter_invalid`. */
export function filterScalar(value: unknown, path: string): FilterScalar {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value))
        filterInvalid(path, 'NaN and infinities are no filter values: leave the comparison out');
      return value === 0 ? 0 : value;
    case 'object':
      if (value === null) return null;
      if (Object.prototype.toString.call(value) === '[object Date]') {
        const time = (value as Date).getTime();
        if (Number.isNaN(time)) filterInvalid(path, 'the date is invalid: check it before it is used in a filter');
        return new Date(time).toISOString();
      }
      break;
    default:
      break;
  }
  return filterInvalid(path, `a filter value is text, a number, a boolean, null or a Date, not ${describe(value)}`);
}

/** The right side of a comparison. */
export function comparedScalar(type: FilterComparison, value: unknown, path: string): FilterScalar {
  const scalar = filterScalar(value, path);
  if (isOrdered(type) && (scalar === null || typeof scalar === 'boolean')) {
    filterInvalid(path, `${type} needs a number or a text: null and booleans have no order, use EQ or NE`);
  }
  return scalar;
}

/** The right side of IN and NIN. */
export function listedScalars(values: unknown, path: string): readonly FilterScalar[] {
  if (!Array.isArray(values)) filterInvalid(path, `IN and NIN need a list of values, not ${describe(values)}`);
  const items: readonly unknown[] = values;
  return Array.from(items, (item, index) => {
    const scalar = filterScalar(item, `${path}[${index}]`);
    if (scalar === null) filterInvalid(`${path}[${index}]`, 'null cannot stand in a list: add OR key IS NULL');
    return scalar;
  });
}

export function filterKey(key: unknown, path: string): string {
  if (typeof key !== 'string') filterInvalid(path, `a key is text, not ${describe(key)}`);
  return key;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : typeof value;
}
