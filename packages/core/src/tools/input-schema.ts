import { invalidArgument } from '../errors/invalid-argument.js';
import type { JsonSchema } from '../json/json-value.js';

/** Input of a tool that takes none. */
export const NO_INPUT_SCHEMA: JsonSchema = Object.freeze({
  type: 'object',
  properties: Object.freeze({}),
  additionalProperties: false,
});

/** Providers want an object with `properties`; both are filled in where a schema leaves them out. */
export function normalizeInputSchema(schema: JsonSchema, toolName: string): JsonSchema {
  const { type, properties } = schema;
  const object = type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!object) throw invalidArgument('input', `the schema of tool '${toolName}' must describe an object`);
  if (type === 'object' && properties !== undefined) return schema;
  return { ...schema, type: 'object', properties: properties ?? {} };
}
