import { ToolExecutionError } from '../errors/tool-execution-error.js';
import type { JsonSchema } from '../json/json-value.js';
import { toJsonSchema } from '../schema/json-schema.js';
import { withoutOptionalNulls } from '../schema/optional-nulls.js';
import type { AnySchemaWithJson, InferOutput, SchemaResult } from '../schema/standard-schema.js';
import { NO_INPUT_SCHEMA, normalizeInputSchema } from './input-schema.js';
import { issuesText, parseToolArguments } from './parse-tool-arguments.js';

/** Reads the arguments of one tool. */
export interface ToolInput<In> {
  /** Made on first use and kept: converting a schema is too slow for import time. */
  readonly jsonSchema: JsonSchema;
  /**
   * Parsed, validated and transformed by the schema; at once where the schema is not asynchronous. Throws `ToolExecutionError` with what
   * the model has to mend.
   */
  read(text: string, toolCallId: string): In | Promise<In>;
}

/** Without a schema: a tool that takes nothing and is handed {}. Throws `schema_without_json_schema`. */
export function toolInput<S extends AnySchemaWithJson>(
  schema: S | undefined,
  toolName: string,
): ToolInput<InferOutput<S>> {
  if (schema !== undefined && typeof schema['~standard']?.jsonSchema?.input !== 'function') toJsonSchema(schema);
  let jsonSchema = schema === undefined ? NO_INPUT_SCHEMA : undefined;
  const ownSchema = (): JsonSchema => {
    jsonSchema ??= schema === undefined ? NO_INPUT_SCHEMA : normalizeInputSchema(toJsonSchema(schema), toolName);
    return jsonSchema;
  };
  return {
    get jsonSchema() {
      return ownSchema();
    },
    read(text, toolCallId) {
      const json = parseToolArguments(text, toolName, toolCallId);
      if (schema === undefined) return {};
      const given = text.includes('null') ? withoutOptionalNulls(json, ownSchema()) : json;
      return validateArguments(schema, given, toolName, toolCallId);
    },
  };
}

/** Throws `ToolExecutionError` with path and message of each issue; never a value. */
export function validateArguments<S extends AnySchemaWithJson>(
  schema: S,
  value: unknown,
  toolName: string,
  toolCallId: string,
): InferOutput<S> | Promise<InferOutput<S>> {
  // A Standard Schema answers with one of the two, at once or later; its type is asked shallowly to keep inference cheap.
  const answer = schema['~standard'].validate(value) as
    | SchemaResult<InferOutput<S>>
    | Promise<SchemaResult<InferOutput<S>>>;
  if ('then' in answer) return answer.then((result) => validValue(result, toolName, toolCallId));
  return validValue(answer, toolName, toolCallId);
}

function validValue<T>(result: SchemaResult<T>, toolName: string, toolCallId: string): T {
  if (result.issues === undefined) return result.value;
  throw new ToolExecutionError(
    `The arguments of tool '${toolName}' do not fit its schema: ${issuesText(result.issues)}`,
    { toolName, toolCallId, subject: 'arguments' },
  );
}
