import { isRecord, type JsonRecord } from '../json/json-record.js';
import { unusableSchema } from './keyword.js';

/** Where a reference leads: a schema, and the base address that its own references are relative to. */
export interface ReferenceTarget {
  readonly schema: unknown;
  readonly base: string;
}

/** The base of a schema without an absolute `$id`. Never looked up anywhere: nothing is loaded. */
export const ROOT_BASE = 'schema:///';

const ONE_SCHEMA = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const SCHEMA_LISTS = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const SCHEMA_MAPS = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'];

/** The parts of one schema document that have a name: by `$id`, by `$anchor`, by JSON Pointer. */
export interface SchemaReferences {
  /** Throws `invalid_argument` for what is not in the document. */
  resolve(reference: string, base: string, pointer: string): ReferenceTarget;
  /** The base address below a schema: its own `$id` if it has one. */
  baseOf(schema: unknown, base: string): string;
}

export function schemaReferences(root: unknown): SchemaReferences {
  const named = namedParts(root);
  return {
    baseOf,
    resolve(reference, base, pointer) {
      const unknown = (): Error =>
        unusableSchema(`${pointer}/$ref`, `refers to '${reference}', which is not in the schema. Nothing is loaded.`);
      const address = join(reference, base);
      const cut = address.indexOf('#');
      const resource = cut < 0 ? address : address.slice(0, cut);
      const fragment = cut < 0 ? '' : address.slice(cut + 1);
      if (fragment !== '' && !fragment.startsWith('/')) {
        const target = named.get(`${resource}#${decode(fragment)}`);
        if (target === undefined) throw unknown();
        return target;
      }
      const start = named.get(resource);
      const target = start && walk(start, fragment);
      if (target === undefined) throw unknown();
      return target;
    },
  };
}

function baseOf(schema: unknown, base: string): string {
  const address = ownAddress(schema);
  return address === undefined ? base : join(address, base).replace(/#.*$/s, '');
}

/** Older drafts write an anchor as an `$id`. */
function ownAddress(schema: unknown): string | undefined {
  const id = isRecord(schema) ? schema['$id'] : undefined;
  return typeof id === 'string' && !id.startsWith('#') ? id : undefined;
}

function join(reference: string, base: string): string {
  if (reference.startsWith('#')) return `${base}${reference}`;
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function walk(start: ReferenceTarget, pointer: string): ReferenceTarget | undefined {
  let { schema, base } = start;
  for (const segment of pointer.split('/').slice(1)) {
    const key = decode(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(schema)) schema = /^\d+$/.test(key) ? schema[Number(key)] : undefined;
    else if (isRecord(schema) && Object.hasOwn(schema, key)) schema = schema[key];
    else return undefined;
    base = baseOf(schema, base);
  }
  return schema === undefined ? undefined : { schema, base };
}

/**
 * The named parts of a document. Only where schemas stand: a constant or an example that looks like one names nothing. Iterative, so
 * that the depth of a document cannot exhaust the stack.
 */
function namedParts(root: unknown): Map<string, ReferenceTarget> {
  const named = new Map<string, ReferenceTarget>();
  const seen = new Set<unknown>();
  const open: ReferenceTarget[] = [{ schema: root, base: baseOf(root, ROOT_BASE) }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { schema, base } = part;
    if (!isRecord(schema) || seen.has(schema)) continue;
    seen.add(schema);
    if (schema === root || ownAddress(schema) !== undefined) named.set(base, part);
    for (const anchor of anchors(schema)) named.set(`${base}#${anchor}`, part);
    for (const child of subschemas(schema)) open.push({ schema: child, base: baseOf(child, base) });
  }
  return named;
}

function* subschemas(schema: JsonRecord): Iterable<unknown> {
  for (const key of ONE_SCHEMA) yield schema[key];
  for (const key of SCHEMA_LISTS) {
    const list = schema[key];
    if (Array.isArray(list)) yield* list;
  }
  for (const key of SCHEMA_MAPS) {
    const map = schema[key];
    if (isRecord(map)) yield* Object.values(map);
  }
}

function anchors(schema: JsonRecord): readonly string[] {
  const { $id, $anchor, $dynamicAnchor } = schema;
  const old = typeof $id === 'string' && $id.startsWith('#') ? $id.slice(1) : undefined;
  return [old, $anchor, $dynamicAnchor].filter((name): name is string => typeof name === 'string' && name !== '');
}
