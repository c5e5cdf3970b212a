import type { JsonValue } from './json-value.js';

/** True when `value` is JSON through and through: what JSON text would give back unchanged. */
export function isJsonValue(value: unknown): value is JsonValue {
  return isJson(value, []);
}

function isJson(value: unknown, ancestors: object[]): boolean {
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
  if (ancestors.includes(value) || !(Array.isArray(value) || isPlain(value))) return false;
  ancestors.push(value);
  const members: unknown[] = Array.isArray(value) ? Array.from(value) : Object.values(value);
  const all = members.every((member) => isJson(member, ancestors));
  ancestors.pop();
  return all;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
