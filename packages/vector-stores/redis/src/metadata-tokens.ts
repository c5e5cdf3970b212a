import { hash } from 'node:crypto';
import type { JsonValue, Metadata } from '@vernal/core';

/** A token that no document has. */
export const NO_TOKEN = 'none';

/** Stands for one key with one value: number, text and boolean are told apart. */
export function valueToken(key: string, value: string | number | boolean): string {
  return token([key, value]);
}

/** Stands for a key that holds a number, or a text, by itself and not in a list. */
export function typeToken(key: string, type: 'number' | 'string'): string {
  return token([key, type, 0]);
}

/** Stands for a key that is there and not null. */
export function presenceToken(key: string): string {
  return token([key]);
}

/** Everything that a filter can ask of metadata with equality: one token each, as `evaluateFilter` sees keys and values. */
export function metadataTokens(metadata: Metadata): Set<string> {
  const tokens = new Set<string>();
  for (const [key, value] of filterableEntries(metadata)) {
    tokens.add(presenceToken(key));
    if (typeof value === 'number') tokens.add(typeToken(key, 'number'));
    if (typeof value === 'string') tokens.add(typeToken(key, 'string'));
    for (const item of Array.isArray(value) ? value : [value]) if (isScalar(item)) tokens.add(valueToken(key, item));
  }
  return tokens;
}

/** What a filter's key finds: a key as it is; else a path through objects, whose names have no dots. Nothing that is null. */
export function* filterableEntries(metadata: Metadata): Generator<[key: string, value: JsonValue]> {
  for (const [key, value] of Object.entries(metadata)) {
    if (value === null || value === undefined) continue;
    yield [key, value];
    if (isObject(value) && !key.includes('.')) yield* nestedEntries(metadata, key, value);
  }
}

function* nestedEntries(top: Metadata, path: string, holder: Metadata): Generator<[string, JsonValue]> {
  for (const [name, value] of Object.entries(holder)) {
    if (value === null || value === undefined || name.includes('.')) continue;
    const key = `${path}.${name}`;
    // The key that is literally so called hides the path.
    if (!Object.hasOwn(top, key)) yield [key, value];
    if (isObject(value)) yield* nestedEntries(top, key, value);
  }
}

/** Letters and digits only, so that nothing of a key or value can be query text. 124 bits of SHA-256: no two meet. */
function token(parts: readonly JsonValue[]): string {
  return `t${hash('sha256', JSON.stringify(parts)).slice(0, 31)}`;
}

function isScalar(value: JsonValue): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isObject(value: JsonValue): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
