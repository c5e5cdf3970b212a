import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { isSpecType } from '@modelcontextprotocol/server';
import type { AnySchemaWithJson, InferOutput } from '@vernal/core';
import { invalidArgument, isRecord, toJsonSchema, VernalError } from '@vernal/core';
import { issuesText, readWithSchema } from './schema-value.js';

type RequestedSchema = ElicitRequestFormParams['requestedSchema'];

/** The form that a client can show: a flat object of texts, numbers, booleans and enums. Anything else: `invalid_argument`. */
export function elicitSchema(schema: AnySchemaWithJson): RequestedSchema {
  const { properties, required, type } = toJsonSchema(schema);
  const candidate: unknown = {
    mode: 'form',
    message: '',
    requestedSchema: {
      type,
      properties: withoutRefinements(properties),
      ...(required === undefined ? undefined : { required }),
    },
  };
  if (isSpecType.ElicitRequestFormParams(candidate)) return candidate.requestedSchema;
  throw invalidArgument(
    'schema',
    'must be a flat object of texts, numbers, booleans and enums, for a client shows it as a form',
  );
}

/** Throws `invalid_state` for an answer that does not fit. */
export async function elicitedContent<S extends AnySchemaWithJson>(
  schema: S,
  content: unknown,
): Promise<InferOutput<S>> {
  const read = await readWithSchema(schema, content);
  if (read.issues === undefined) return read.value;
  throw new VernalError(
    `The MCP client's answer does not fit the schema it was asked with: ${issuesText(read.issues)}`,
    {
      code: 'invalid_state',
      subject: 'elicitation',
    },
  );
}

/** Forms know no patterns: a format says the same to a client, and the answer is held to the schema anyway. */
function withoutRefinements(properties: unknown): unknown {
  if (!isRecord(properties)) return properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      if (!isRecord(property)) return [name, property];
      const { pattern: _, ...rest } = property;
      return [name, rest];
    }),
  );
}
