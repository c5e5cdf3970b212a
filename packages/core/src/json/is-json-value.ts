import type { JsonValue } from './json-value.js';

/** Less than the factories take, so that what passes here may be put into something that they are given. */
const MAX_DEPTH = 900;

/** True when `value` is JSON through and through: what JSON text would give back unchanged. False for what is nested beyond all use. */
export function isJsonValue(value: unknown): value is JsonValue {
  return isJson(value, undefined);
}

interface Ancestor {
  readonly value: object;
  readonly parent: Ancestor | undefined;
  readonly depth: number;
}

function isJson(value: unknown, parent: Ancestor | undefined): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return true;
  const isList = Array.isArray(value);
  if (isWithin(value, parent) || !(isList || isPlain(value))) return false;
  const members: readonly unknown[] = isList ? value : Object.values(value);
  const here: Ancestor = { value, parent, depth: (parent?.depth ?? 0) + 1 };
  if (here.depth > MAX_DEPTH) return false;
  for (let i = 0; i < members.length; i++) {
    if (!isJson(members[i], here)) return false;
  }
  return true;
}

function isWithin(value: object, parent: Ancestor | undefined): boolean {
  for (let above = parent; above !== undefined; above = above.parent) if (above.value === value) return true;
  return false;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
