import { invalidArgument } from '../errors/invalid-argument.js';
import type { VernalError } from '../errors/vernal-error.js';
import type { JsonInput, JsonValue } from './json-value.js';
import { setOwn } from './own-property.js';

const MAX_DEPTH = 1_000;
/** Of the path that an error names: nesting makes long ones. */
const MAX_PATH_LENGTH = 200;
const OBJECT = '[object Object]';

/**
 * A copy of `value` that is JSON and nothing else. `Date` becomes ISO-8601 UTC text, undefined members are dropped (in a list
 * they become null, as in `JSON.stringify`), -0 becomes 0, so that what is encoded comes back equal.
 * Throws `invalid_argument` that names the path for everything JSON cannot hold; never its value.
 */
export function jsonFromInput(value: JsonInput, path: string): JsonValue {
  return convert(value, path, []) ?? null;
}

function convert(value: unknown, path: string, ancestors: object[]): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw refused(path, `${value} is not JSON; give a finite number or leave it out`);
      return value === 0 ? 0 : value;
    case 'object':
      return value === null ? null : convertObject(value, path, ancestors);
    default:
      throw refused(
        path,
        `a ${typeof value} is not JSON; give text, a number, a boolean, null, a list or a plain object`,
      );
  }
}

function convertObject(value: object, path: string, ancestors: object[]): JsonValue {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw refused(path, 'an invalid Date has no ISO text');
    return value.toISOString();
  }
  if (ancestors.includes(value)) throw refused(path, 'refers back to an object that holds it; JSON has no cycles');
  if (ancestors.length >= MAX_DEPTH) throw refused(path, `is nested more than ${MAX_DEPTH} deep`);
  ancestors.push(value);
  const copy = Array.isArray(value) ? convertList(value, path, ancestors) : convertMembers(value, path, ancestors);
  ancestors.pop();
  return copy;
}

function convertList(list: readonly unknown[], path: string, ancestors: object[]): JsonValue {
  const copy: JsonValue[] = [];
  // By index, as holes are null, too.
  for (let i = 0; i < list.length; i++) copy.push(convert(list[i], `${path}[${i}]`, ancestors) ?? null);
  return copy;
}

function convertMembers(value: object, path: string, ancestors: object[]): JsonValue {
  // What most values are is told from its prototype, in a tenth of the time.
  const prototype: unknown = Object.getPrototypeOf(value);
  const kind = prototype === Object.prototype ? OBJECT : Object.prototype.toString.call(value);
  if (kind !== OBJECT) {
    throw refused(path, `${kind.slice(8, -1)} objects are not JSON; give a plain object, a list or text`);
  }
  const copy: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const json = convert((value as Readonly<Record<string, unknown>>)[key], `${path}.${key}`, ancestors);
    if (json !== undefined) setOwn(copy, key, json);
  }
  return copy;
}

function refused(path: string, fix: string): VernalError {
  return invalidArgument(path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path, fix);
}
