import { invalidArgument } from '../errors/invalid-argument.js';
import { VernalError } from '../errors/vernal-error.js';
import type { JsonSchema } from '../json/json-value.js';
import type { JsonSchemaValidator } from './json-schema-validator.js';
import type {
  AnySchema,
  InferInput,
  InferOutput,
  JsonSchemaConverter,
  SchemaIssue,
  SchemaResult,
  SchemaWithJson,
} from './standard-schema.js';

/**
 * A JSON Schema as a schema: `jsonSchema<{ city: string }>({ type: 'object', … })`. The static type is the `T` you write.
 * Without a validator every value is accepted as it is and only the model holds it to the schema; a small validator lives at
 * `@vernal/core/json-schema`. Throws `invalid_argument` for a schema that is not an object.
 *
 * @example
 * const City = jsonSchema<{ name: string }>(
 *   { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
 *   { validator: jsonSchemaValidator() },
 * );
 */
export function jsonSchema<T = unknown>(
  schema: JsonSchema,
  options?: { readonly validator?: JsonSchemaValidator | undefined },
): SchemaWithJson<T, T> {
  checkJsonSchema(schema, 'schema');
  const validator = options?.validator;
  return {
    '~standard': {
      version: 1,
      vendor: 'vernal',
      validate: (value) => {
        const issues = validator?.validate(schema, value) ?? [];
        return 'then' in issues ? issues.then((list) => result<T>(value, list)) : result<T>(value, issues);
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/**
 * Adds a JSON Schema to a Standard Schema that cannot produce one. `json` describes the input side: what a model must write. It stands
 * for the output side too, unless the schema can say that one by itself.
 * Throws `invalid_argument` for what is not a Standard Schema or not a JSON Schema.
 */
export function withJsonSchema<S extends AnySchema>(
  schema: S,
  json: JsonSchema,
): SchemaWithJson<InferInput<S>, InferOutput<S>> {
  checkJsonSchema(json, 'json');
  const standard = standardOf(schema);
  const own = converterOf(standard);
  return {
    '~standard': {
      version: 1,
      vendor: vendorOf(standard),
      // The schema's own types say what its `validate` gives.
      validate: (value) =>
        standard.validate(value) as SchemaResult<InferOutput<S>> | Promise<SchemaResult<InferOutput<S>>>,
      jsonSchema: { input: () => json, output: own?.output ?? (() => json) },
    },
  };
}

/**
 * The JSON Schema of a schema. `direction` is 'input' (the default) for tools and entities (what a model must write), 'output' for what is
 * shown to readers of results. `target` defaults to 'draft-2020-12'.
 * Throws `schema_without_json_schema` for a schema that cannot say it, and for one that holds what JSON Schema has no word for.
 */
export function toJsonSchema(
  schema: AnySchema,
  options?: {
    readonly direction?: 'input' | 'output' | undefined;
    readonly target?: 'draft-2020-12' | 'draft-07' | undefined;
  },
): JsonSchema {
  const standard = standardOf(schema);
  const converter = converterOf(standard);
  if (converter === undefined) throw withoutJsonSchema(vendorOf(standard), 'cannot say its JSON Schema');
  try {
    return converter[options?.direction ?? 'input']({ target: options?.target ?? 'draft-2020-12' });
  } catch (cause) {
    throw withoutJsonSchema(
      vendorOf(standard),
      'holds something that JSON Schema cannot say (dates: text and a codec)',
      cause,
    );
  }
}

type Standard = AnySchema['~standard'];

function result<T>(value: unknown, issues: readonly SchemaIssue[]): SchemaResult<T> {
  // What fits the JSON Schema is the T that was written beside it: the one promise of `jsonSchema<T>`.
  return issues.length === 0 ? { value: value as T } : { issues };
}

function standardOf(schema: AnySchema): Standard {
  const standard: Standard | undefined = schema?.['~standard'];
  if (typeof standard?.validate !== 'function') {
    throw invalidArgument(
      'schema',
      'must be a Standard Schema (zod, valibot, arktype, …); a JSON Schema goes through jsonSchema()',
    );
  }
  return standard;
}

function converterOf(standard: Standard): JsonSchemaConverter | undefined {
  const converter: unknown = Reflect.get(standard, 'jsonSchema');
  return isConverter(converter) ? converter : undefined;
}

function isConverter(value: unknown): value is JsonSchemaConverter {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'input') === 'function' &&
    typeof Reflect.get(value, 'output') === 'function'
  );
}

function vendorOf(standard: Standard): string {
  const vendor: unknown = Reflect.get(standard, 'vendor');
  return typeof vendor === 'string' ? vendor : 'unknown';
}

function checkJsonSchema(schema: unknown, subject: string): void {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw invalidArgument(subject, "must be a JSON Schema object such as { type: 'object', properties: {} }");
  }
}

function withoutJsonSchema(vendor: string, fault: string, cause?: unknown): VernalError {
  return new VernalError(
    `The ${vendor} schema ${fault}: use zod >= 4.2 or arktype, for valibot toStandardJsonSchema() of @valibot/to-json-schema, or withJsonSchema(schema, json)`,
    { code: 'schema_without_json_schema', subject: vendor, cause },
  );
}
