import { bytesToBase64 } from '../media/base64.js';
import type { JsonInput, JsonValue } from './json-value.js';
import { setOwn } from './own-property.js';

const MAX_DEPTH = 1_000;

/**
 * Keeps only JSON and never throws for a value; what is not JSON is turned or cut:
 * `Date` to ISO text, `bigint` to its digits as text, symbols to their text, NaN and infinities to null, `Map` to an object (to a list of
 * pairs when a key is not text), `Set` and typed arrays to lists, bytes to base64, errors to `{ name, message }`, objects with `toJSON` to
 * what that gives; streams, iterators, promises and others of the platform that hide what they hold to their names, '[ReadableStream]'.
 * Functions and undefined are left out of objects and become null elsewhere; a reference back to an object
 * that holds it becomes '[Circular]', an object that is merely used twice is written twice. What throws when it is read becomes null, and
 * what is nested more than 1,000 deep '[Too deep]'.
 */
export function toJsonValue(value: JsonInput | object): JsonValue {
  return convert(value, []) ?? null;
}

function convert(value: unknown, ancestors: object[]): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value || 0 : null;
    case 'bigint':
    case 'symbol':
      return value.toString();
    case 'object':
      return value === null ? null : convertObject(value, ancestors);
    default:
      return undefined;
  }
}

function convertObject(value: object, ancestors: object[]): JsonValue | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return bytesToBase64(value);
  if (ancestors.includes(value)) return '[Circular]';
  if (ancestors.length >= MAX_DEPTH) return '[Too deep]';
  ancestors.push(value);
  try {
    return convertMembers(value, ancestors);
  } catch {
    // A `toJSON` or an iterator of the value's own: what it holds cannot be known.
    return null;
  } finally {
    ancestors.pop();
  }
}

function convertMembers(value: object, ancestors: object[]): JsonValue | undefined {
  if ('toJSON' in value && typeof value.toJSON === 'function') return convert(value.toJSON(), ancestors);
  if (Array.isArray(value)) return convertList(value, ancestors);
  if (value instanceof Set) return convertList([...value], ancestors);
  if (value instanceof Map) return convertMap(value, ancestors);
  if (ArrayBuffer.isView(value) && Symbol.iterator in value) {
    return convertList(Array.from(value as Iterable<unknown> & ArrayBufferView), ancestors);
  }
  if (value instanceof Error) return { name: value.name, message: value.message };
  const keys = Object.keys(value);
  if (keys.length === 0 && Symbol.toStringTag in value) return `[${String(value[Symbol.toStringTag])}]`;
  return convertEntries(
    keys.map((key) => [key, member(value, key)]),
    ancestors,
  );
}

/** By itself, so that a getter that throws costs its own member only. */
function member(value: object, key: string): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return null;
  }
}

function convertList(list: readonly unknown[], ancestors: object[]): JsonValue {
  return Array.from(list, (item) => convert(item, ancestors) ?? null);
}

function convertMap(map: ReadonlyMap<unknown, unknown>, ancestors: object[]): JsonValue {
  const entries = [...map];
  return entries.every((entry): entry is [string, unknown] => typeof entry[0] === 'string')
    ? convertEntries(entries, ancestors)
    : convertList(entries, ancestors);
}

function convertEntries(entries: readonly (readonly [string, unknown])[], ancestors: object[]): JsonValue {
  const copy: Record<string, JsonValue> = {};
  for (const [key, value] of entries) {
    const json = convert(value, ancestors);
    if (json !== undefined) setOwn(copy, key, json);
  }
  return copy;
}
