import { invalidArgument } from '../errors/invalid-argument.js';
import { VernalError } from '../errors/vernal-error.js';
import type { JsonObject, JsonValue } from './json-value.js';

/** Reads untrusted JSON member by member. Each fault is `invalid_argument` and names the path, never the value. */
export function parseVersioned(text: string, subject: string, version: number): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may hold a prompt.
    throw invalidArgument(subject, 'is not JSON; give the text that was encoded');
  }
  const object = readObject(parsed, subject);
  const found = object['v'];
  if (typeof found !== 'number' || !Number.isInteger(found) || found < 1) {
    throw invalidArgument(subject, 'has no version; give the text that was encoded');
  }
  if (found > version) {
    throw new VernalError(`${subject} has version ${found}, this release reads up to ${version}; update @vernal/core`, {
      code: 'message_version',
      subject,
      details: { version: found, supported: version },
    });
  }
  return object;
}

export function readObject(value: unknown, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidArgument(path, 'must be an object');
  return value as JsonObject;
}

export function readText(value: JsonValue | undefined, path: string): string {
  if (typeof value !== 'string') throw invalidArgument(path, 'must be text');
  return value;
}

export function readOptionalText(value: JsonValue | undefined, path: string): string | undefined {
  return value === undefined ? undefined : readText(value, path);
}

export function readList<T>(
  value: JsonValue | undefined,
  path: string,
  item: (value: JsonValue, path: string) => T,
): T[] {
  if (!Array.isArray(value)) throw invalidArgument(path, 'must be a list');
  return value.map((element: JsonValue, i) => item(element, `${path}[${i}]`));
}
