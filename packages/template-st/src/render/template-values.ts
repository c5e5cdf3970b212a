import { toJsonValue } from '@vernal/core';

/**
 * The elements of a list: of arrays, sets and typed arrays; of a `Map` or a plain object its keys. Undefined for a single value.
 */
export function elementsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (value instanceof Set || value instanceof Map) return [...value.keys()];
  if (ArrayBuffer.isView(value) && Symbol.iterator in value) return Array.from(value as unknown as Iterable<unknown>);
  return isPlain(value) ? Object.keys(value) : undefined;
}

/** False are false, null, undefined and lists and maps that hold nothing; '' and 0 are true. */
export function isTrue(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return false;
  const elements = elementsOf(value);
  return elements === undefined || elements.length > 0;
}

/**
 * Property of an object, entry of a `Map`, element of an array. Own and enumerable ones only, so that nothing of a prototype is ever
 * rendered and no stack trace of an error. `keys` and `values` of maps and plain objects, unless they have entries of these names.
 * Undefined when there is none; a property that is there and undefined is null.
 */
export function propertyOf(value: unknown, key: unknown): unknown {
  if (typeof value !== 'object' || value === null || key === null || key === undefined) return undefined;
  if (value instanceof Map) {
    if (value.has(key)) return value.get(key) ?? null;
    if (key === 'keys') return [...value.keys()];
    return key === 'values' ? [...value.values()] : undefined;
  }
  if (typeof key !== 'string' && typeof key !== 'number' && typeof key !== 'boolean') return undefined;
  const name = String(key);
  if (Object.prototype.propertyIsEnumerable.call(value, name)) return Reflect.get(value, name) ?? null;
  if (!isPlain(value)) return undefined;
  if (name === 'keys') return Object.keys(value);
  return name === 'values' ? Object.values(value) : undefined;
}

/**
 * Text of a single value: text as it is, numbers and booleans as JavaScript writes them, dates as ISO text, other objects as JSON.
 * Undefined for what has no text: functions, symbols, invalid dates.
 */
export function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'object': {
      if (value === null) return '';
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
      const json = toJsonValue(value);
      return typeof json === 'string' ? json : JSON.stringify(json);
    }
    default:
      return undefined;
  }
}

/** An object literal or JSON, of this realm or another. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf'))
  );
}
