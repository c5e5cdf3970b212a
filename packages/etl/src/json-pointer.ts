import type { JsonValue } from '@vernal/core';

/** The names of an RFC 6901 pointer, or undefined when it is none. */
export function parseJsonPointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that the names lead to, or undefined. */
export function valueAt(root: JsonValue, names: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const name of names) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
    else value = Object.entries(value).find(([key]) => key === name)?.[1];
  }
  return value;
}
