import { toJsonValue } from '../json/to-json-value.js';

/** Stands for a variable that was not given. */
export const MISSING: unique symbol = Symbol('missing');

/**
 * The value under a dotted name. A key that literally holds the dots wins. Only own properties count, so nothing of a prototype
 * (`constructor`, `__proto__`) is ever rendered.
 */
export function lookUp(variables: Readonly<Record<string, unknown>>, name: string, path: readonly string[]): unknown {
  if (Object.hasOwn(variables, name)) return given(variables[name]);
  let value: unknown = variables;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return MISSING;
    value = Reflect.get(value, key);
  }
  return given(value);
}

function given(value: unknown): unknown {
  return value === undefined ? MISSING : value;
}

/**
 * Text as it is, numbers and booleans as JavaScript writes them, null as '', dates as ISO text, lists and objects as JSON.
 * Undefined for what has no text: functions, symbols, invalid dates, and resources, which have to be read first.
 */
export function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'object':
      if (value === null) return '';
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
      if ('bytes' in value && typeof value.bytes === 'function') return undefined;
      return JSON.stringify(toJsonValue(value));
    default:
      return undefined;
  }
}
