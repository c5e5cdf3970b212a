import type { JsonValue, Metadata } from '@vernal/core';

function own(holder: object, key: string): JsonValue | undefined {
  return Object.hasOwn(holder, key) ? (holder as Metadata)[key] : undefined;
}

function reach(metadata: Metadata, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = metadata;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = own(value, name);
  }
  return value;
}

/**
 * How a filter's key finds its value: the key as it is; else, when it has dots, the path through nested objects. Lists are no part of a
 * path. Only own properties count, so `constructor` is a key like any other.
 */
export function metadataReader(key: string): (metadata: Metadata) => JsonValue | undefined {
  const path = key.split('.');
  if (path.length > 1) {
    return (metadata) => (Object.hasOwn(metadata, key) ? metadata[key] : reach(metadata, path));
  }
  // Names that every object has by birth are looked up the slow way.
  if (key in Object.prototype) return (metadata) => own(metadata, key);
  return (metadata) => metadata[key];
}
