import type { JsonValue } from '@vernal/core';

/** The entries of a context that can wait outside of the process. */
export function jsonEntries(values: Readonly<Record<string, unknown>>): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, JsonValue] => isJson(entry[1], 0)),
  );
}

/** Deeper than any entry that is meant to be data; ends cycles too. */
const MAX_DEPTH = 64;

function isJson(value: unknown, depth: number): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((item) => isJson(item, depth + 1));
}
