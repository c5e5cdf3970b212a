import { invalidArgument, isRecord, type JsonSchema } from '@vernal/core';
import { jsonSchemaValidator } from '@vernal/core/json-schema';
import type { McpElicitationAnswer, McpElicitationRequest } from './protocol-types.js';

/** The server writes the form: see `StructuredContentCheck`. */
const validator = jsonSchemaValidator({ formats: true, patterns: false, maxSteps: 1_000_000 });

/**
 * What a handler accepted, with the defaults of the form. A server relies on its schema, so what does not fit is refused here
 * (`invalid_argument`), where it can be mended.
 */
export async function checkedElicitation(
  request: McpElicitationRequest,
  result: McpElicitationAnswer,
): Promise<McpElicitationAnswer> {
  if (request.mode === 'url' || result.action !== 'accept') return result;
  const schema: JsonSchema = request.requestedSchema;
  const content = { ...defaultsOf(schema), ...result.content };
  const issues = await validator.validate(schema, content);
  const [first] = issues;
  if (first !== undefined) throw invalidArgument('content', `does not fit the form of the server: ${first.message}`);
  return { ...result, content };
}

type Content = NonNullable<McpElicitationAnswer['content']>;

function defaultsOf(schema: JsonSchema): Content {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const found: Content = {};
  for (const [key, property] of Object.entries(properties)) {
    const value: unknown = isRecord(property) ? property['default'] : undefined;
    if (isFieldValue(value) && key !== '__proto__') found[key] = value;
  }
  return found;
}

function isFieldValue(value: unknown): value is Content[string] {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
