import { isRecord, type JsonRecord } from '../json/json-record.js';
import type { JsonSchema } from '../json/json-value.js';

/** Deeper values are left as they are: they cannot be walked. */
const MAX_DEPTH = 500;

/**
 * `value` without the nulls that stand for "not given": of a property that `schema` neither requires nor lets be null. Models write them
 * of themselves, and must where a provider wants every property named. The same object where there are none.
 */
export function withoutOptionalNulls(value: unknown, schema: JsonSchema): unknown {
  return new NullRemover(schema).clean(value, [schema], 0);
}

class NullRemover {
  readonly #root: JsonSchema;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  clean(value: unknown, schemas: readonly unknown[], depth: number): unknown {
    if (typeof value !== 'object' || value === null || schemas.length === 0 || depth > MAX_DEPTH) return value;
    const parts = new Set<JsonRecord>();
    for (const schema of schemas) this.#collect(schema, value, parts);
    if (Array.isArray(value)) return this.#cleanList(value, parts, depth);
    return isRecord(value) ? this.#cleanObject(value, parts, depth) : value;
  }

  #cleanList(list: readonly unknown[], parts: Iterable<JsonRecord>, depth: number): readonly unknown[] {
    const cleaned = list.map((item, at) => this.clean(item, itemSchemas(parts, at), depth + 1));
    return cleaned.some((item, at) => item !== list[at]) ? cleaned : list;
  }

  #cleanObject(object: JsonRecord, parts: Iterable<JsonRecord>, depth: number): JsonRecord {
    let changed = false;
    const kept: [string, unknown][] = [];
    for (const [key, member] of Object.entries(object)) {
      if (member === null && this.#isLeftOut(key, parts)) {
        changed = true;
        continue;
      }
      const cleaned = this.clean(member, memberSchemas(parts, key), depth + 1);
      changed ||= cleaned !== member;
      kept.push([key, cleaned]);
    }
    return changed ? Object.fromEntries(kept) : object;
  }

  #isLeftOut(key: string, parts: Iterable<JsonRecord>): boolean {
    let declared = false;
    for (const part of parts) {
      const { required } = part;
      if (Array.isArray(required) && required.includes(key)) return false;
      const schema = property(part, key);
      if (schema === undefined) continue;
      if (this.#takesNull(schema, new Set())) return false;
      declared = true;
    }
    return declared;
  }

  /** All that is said about `value`: by the schema, what it refers to, what it is put together of, and the variants that may be meant. */
  #collect(schema: unknown, value: object, found: Set<JsonRecord>): void {
    if (!isRecord(schema) || found.has(schema)) return;
    found.add(schema);
    if (typeof schema['$ref'] === 'string') this.#collect(this.#resolve(schema['$ref']), value, found);
    for (const part of schemaList(schema['allOf'])) this.#collect(part, value, found);
    for (const variants of [schema['anyOf'], schema['oneOf']]) {
      for (const variant of schemaList(variants)) {
        const meant = this.#resolved(variant);
        if (mayBeMeant(meant, value)) this.#collect(meant, value, found);
      }
    }
  }

  #takesNull(schema: unknown, seen: Set<unknown>): boolean {
    if (!isRecord(schema)) return schema !== false;
    if (seen.has(schema)) return true;
    seen.add(schema);
    const { type, nullable, $ref, allOf, anyOf, oneOf } = schema;
    if (nullable === true) return true;
    if (Object.hasOwn(schema, 'const') && schema['const'] !== null) return false;
    if (Array.isArray(schema['enum']) && !schema['enum'].includes(null)) return false;
    if (type !== undefined && type !== 'null' && !(Array.isArray(type) && type.includes('null'))) return false;
    const takes = (part: unknown): boolean => this.#takesNull(part, seen);
    if (typeof $ref === 'string' && !takes(this.#resolve($ref))) return false;
    if (!schemaList(allOf).every(takes)) return false;
    return [anyOf, oneOf].every((variants) => !Array.isArray(variants) || variants.some(takes));
  }

  /** Through references, as far as they lead. */
  #resolved(schema: unknown): unknown {
    const seen = new Set<unknown>();
    let at = schema;
    while (isRecord(at) && typeof at['$ref'] === 'string' && !seen.has(at)) {
      seen.add(at);
      at = this.#resolve(at['$ref']);
    }
    return at;
  }

  /** Undefined: not in this document, or named in a way that only a validator follows. */
  #resolve(reference: string): unknown {
    if (!/^#(?:$|\/)/.test(reference)) return undefined;
    let at: unknown = this.#root;
    for (const segment of reference.slice(1).split('/').slice(1)) {
      const key = decoded(segment).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
      at = Reflect.get(at, key);
    }
    return at;
  }
}

/** A variant whose fixed properties are others, or whose type is, is not the one. */
function mayBeMeant(variant: unknown, value: object): boolean {
  if (!isRecord(variant)) return false;
  const { type, properties } = variant;
  const own = Array.isArray(value) ? 'array' : 'object';
  if (type !== undefined && type !== own && !(Array.isArray(type) && type.includes(own))) return false;
  if (!isRecord(properties) || !isRecord(value)) return true;
  return Object.entries(properties).every(([key, schema]) => {
    const member = Object.hasOwn(value, key) ? value[key] : undefined;
    return member === undefined || !isRecord(schema) || mayBe(schema, member);
  });
}

function mayBe(schema: JsonRecord, member: unknown): boolean {
  if (typeof member !== 'string' && typeof member !== 'number' && typeof member !== 'boolean') return true;
  if (Object.hasOwn(schema, 'const')) return schema['const'] === member;
  return !Array.isArray(schema['enum']) || schema['enum'].includes(member);
}

function itemSchemas(parts: Iterable<JsonRecord>, at: number): readonly unknown[] {
  const schemas: unknown[] = [];
  for (const { prefixItems, items, additionalItems } of parts) {
    const first = Array.isArray(prefixItems) ? prefixItems : items;
    const rest = Array.isArray(prefixItems) ? items : additionalItems;
    schemas.push(Array.isArray(first) ? (at < first.length ? first[at] : rest) : items);
  }
  return schemas.filter(isRecord);
}

function memberSchemas(parts: Iterable<JsonRecord>, key: string): readonly unknown[] {
  const schemas: unknown[] = [];
  for (const part of parts) schemas.push(property(part, key) ?? part['additionalProperties']);
  return schemas.filter(isRecord);
}

function property({ properties }: JsonRecord, key: string): unknown {
  return isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

function schemaList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
