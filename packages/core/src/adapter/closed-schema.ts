import { isRecord, type JsonSchema } from '@vernal/core';

/** What a provider holds its models to, of JSON Schema. */
export interface SchemaLimits {
  /** Every property has to be required: what was optional may be null instead, and `schemaConverter` and `tool` read that as left out. */
  readonly requireAll: boolean;
  /** False: the keyword, with this value, is not sent. The description says it then, and who reads the answer checks it as ever. */
  readonly accepts: (keyword: string, value: unknown) => boolean;
}

/**
 * `schema` for providers that hold a model to it by force: objects allow no properties but their own, `oneOf` is `anyOf`, and keywords
 * that the provider does not know move into descriptions. What cannot be said so, such as records, stays and is refused by the provider.
 */
export function closedJsonSchema(schema: JsonSchema, limits: SchemaLimits): JsonSchema {
  const { $schema: _, ...rest } = closedPart(schema, limits);
  // At the top nothing declared means nothing wanted, further down it means anything. A record declares what it holds.
  if (rest['type'] !== 'object' || rest['properties'] !== undefined || rest['additionalProperties']) return rest;
  return { ...rest, ...closedObject({}, undefined, limits) };
}

const SCHEMA_MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
const SCHEMA_LISTS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'prefixItems']);

function closedPart(schema: JsonSchema, limits: SchemaLimits): JsonSchema {
  const members: [string, unknown][] = [];
  const told: string[] = [];
  const close = (part: unknown): unknown => (isRecord(part) ? closedPart(part, limits) : part);
  for (const [key, value] of Object.entries(schema)) {
    if (SCHEMA_MAPS.has(key) && isRecord(value)) members.push([key, mapped(value, close)]);
    else if (SCHEMA_LISTS.has(key) && Array.isArray(value)) {
      members.push([key === 'oneOf' ? 'anyOf' : key, value.map(close)]);
    } else if (key === 'items') members.push([key, close(value)]);
    else if (limits.accepts(key, value)) members.push([key, value]);
    else if (isWorthTelling(key, value, schema)) told.push(`${key}: ${JSON.stringify(value)}`);
  }
  const part = alone(described(Object.fromEntries(members), told));
  const { properties } = part;
  return isRecord(properties) ? { ...part, ...closedObject(properties, part['required'], limits) } : part;
}

/** Not what a format says already, nor the bounds of what JavaScript can count. */
function isWorthTelling(keyword: string, value: unknown, { format }: JsonSchema): boolean {
  if (keyword === 'pattern') return format === undefined;
  return typeof value !== 'number' || Math.abs(value) !== Number.MAX_SAFE_INTEGER;
}

/** Nothing may stand beside a reference. */
function alone(schema: JsonSchema): JsonSchema {
  const { $ref, $defs, definitions, ...rest } = schema;
  if (typeof $ref !== 'string' || Object.keys(rest).length === 0) return schema;
  const { $ref: _, ...others } = schema;
  return { ...others, anyOf: [{ $ref }] };
}

function described(schema: JsonSchema, told: readonly string[]): JsonSchema {
  if (told.length === 0) return schema;
  const { description } = schema;
  const said = typeof description === 'string' && description !== '' ? `${description} ` : '';
  return { ...schema, description: `${said}(${told.join(', ')})` };
}

function closedObject(properties: JsonSchema, required: unknown, { requireAll }: SchemaLimits): JsonSchema {
  if (!requireAll) return { properties, additionalProperties: false };
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  return {
    properties: mapped(properties, (part, name) => (isRequired(name) ? part : orNull(part))),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const PLAIN: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

function orNull(schema: unknown): unknown {
  if (!isRecord(schema) || takesNull(schema)) return schema;
  const { description, ...rest } = schema;
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (PLAIN.has(type) && schema['enum'] === undefined && schema['const'] === undefined) {
    return { ...schema, type: [type, 'null'] };
  }
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: 'null' }] };
}

function takesNull({ type, anyOf, enum: values, const: only, $ref }: JsonSchema): boolean {
  if (type !== undefined) return type === 'null' || (Array.isArray(type) && type.includes('null'));
  if (Array.isArray(anyOf)) return anyOf.some((part) => isRecord(part) && takesNull(part));
  if (Array.isArray(values)) return values.includes(null);
  return $ref === undefined && (only === undefined || only === null);
}

function mapped(parts: JsonSchema, change: (part: unknown, name: string) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part, name)]));
}
