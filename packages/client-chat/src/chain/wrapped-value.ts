import type { JsonSchema, StructuredOutputConverter } from '@vernal/core';
import { defaultCleaners } from '@vernal/core';

/** A value that is no object, in an object: providers hold models to nothing else at the top. */
export interface WrappedValue<T> {
  /** Asks for the object and gives the value; an answer without the object is read, too. */
  readonly converter: StructuredOutputConverter<T>;
  /** Of what has arrived so far; undefined when nothing of the value has. */
  unwrap(snapshot: unknown): unknown;
}

/** Undefined for what is an object already. */
export function wrappedValue<T>(inner: StructuredOutputConverter<T>): WrappedValue<T> | undefined {
  const schema = inner.jsonSchema;
  if (schema === undefined || schema['type'] === 'object') return undefined;
  const key = freeKey(schema);
  const head = new RegExp(`^\\s*\\{\\s*"${key}"\\s*:`);
  const within = (text: string): string | undefined => {
    const start = head.exec(text)?.[0].length;
    const end = text.trimEnd().length - 1;
    return start === undefined || end < start || text[end] !== '}' ? undefined : text.slice(start, end);
  };
  return {
    converter: {
      get format() {
        return inner.format;
      },
      jsonSchema: wrappedSchema(schema, key),
      convert: (text) =>
        inner.convert(
          within(text) ?? within(defaultCleaners.reduce((cleaned, cleaner) => cleaner(cleaned), text)) ?? text,
        ),
    },
    unwrap(snapshot) {
      if (typeof snapshot !== 'object' || snapshot === null || Array.isArray(snapshot)) return snapshot;
      if (Object.hasOwn(snapshot, key)) return Reflect.get(snapshot, key);
      return Object.keys(snapshot).length === 0 ? undefined : snapshot;
    },
  };
}

/** One that the value itself cannot have, so that an answer without the object is told from one with it. */
function freeKey(schema: JsonSchema): string {
  const text = JSON.stringify(schema);
  let key = 'answer';
  while (text.includes(`"${key}"`)) key += '_';
  return key;
}

function wrappedSchema(schema: JsonSchema, key: string): JsonSchema {
  const top: [string, unknown][] = [];
  const value: [string, unknown][] = [];
  for (const [name, part] of Object.entries(schema)) {
    const target = AT_THE_TOP.has(name) ? top : value;
    target.push([name, withMovedReferences(part, name, key)]);
  }
  return {
    ...Object.fromEntries(top),
    type: 'object',
    properties: { [key]: Object.fromEntries(value) },
    required: [key],
    additionalProperties: false,
  };
}

/** References lead to definitions from the top. */
const AT_THE_TOP: ReadonlySet<string> = new Set(['$schema', '$defs', 'definitions']);
const PLAIN_DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** What refers to the whole schema, or to a part of it that went down with the value, has a longer way. */
function withMovedReferences(part: unknown, name: string, key: string): unknown {
  if (name === '$ref' && typeof part === 'string' && /^#(?!\/(?:\$defs|definitions)\/)(?:\/|$)/.test(part)) {
    return `#/properties/${key}${part.slice(1)}`;
  }
  if (typeof part !== 'object' || part === null || PLAIN_DATA.has(name)) return part;
  if (Array.isArray(part)) return part.map((item) => withMovedReferences(item, '', key));
  return Object.fromEntries(
    Object.entries(part).map(([member, value]) => [member, withMovedReferences(value, member, key)]),
  );
}
