import type { JsonSchema } from '../json/json-value.js';
import type { JsonSchemaValidator } from './json-schema-validator.js';
import type { AnySchema, InferInput, InferOutput, SchemaWithJson } from './standard-schema.js';

/**
 * A JSON Schema as a schema: `jsonSchema<{ city: string }>({ type: 'object', … })`. The static type is the `T` you write.
 * Without a validator values are only parsed, and a warning is logged once per schema.
 */
export declare function jsonSchema<T = unknown>(
  schema: JsonSchema,
  options?: { readonly validator?: JsonSchemaValidator | undefined },
): SchemaWithJson<T, T>;

/** Adds a JSON Schema to a Standard Schema that cannot produce one. `json` describes the input side. */
export declare function withJsonSchema<S extends AnySchema>(
  schema: S,
  json: JsonSchema,
): SchemaWithJson<InferInput<S>, InferOutput<S>>;

/** The JSON Schema of a schema. `direction` is 'input' for tools and entities (what a model must write), 'output' for what is shown to readers of results. Throws `schema_without_json_schema`. */
export declare function toJsonSchema(
  schema: AnySchema,
  options?: {
    readonly direction?: 'input' | 'output' | undefined;
    readonly target?: 'draft-2020-12' | 'draft-07' | undefined;
  },
): JsonSchema;
