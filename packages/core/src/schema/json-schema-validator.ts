import type { JsonSchema } from '../json/json-value.js';
import type { SchemaIssue } from './standard-schema.js';

/** Validates JSON Schema without `eval`. A small default lives at `@vernal/core/json-schema`; ajv fits by a two-line adapter. */
export interface JsonSchemaValidator {
  /** [] when `value` fits. Throws only when the schema itself is not usable. */
  validate(schema: JsonSchema, value: unknown): readonly SchemaIssue[] | Promise<readonly SchemaIssue[]>;
}
