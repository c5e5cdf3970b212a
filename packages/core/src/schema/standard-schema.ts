/** One fault found by a validator. `path` is outermost first. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The value as the schema gives it, or what is wrong. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** What goes into a schema and what comes out: for the type checker alone. */
export interface SchemaTypes<Input, Output> {
  readonly input: Input;
  readonly output: Output;
}

/** The interface of Standard Schema, version 1. Source: https://standardschema.dev. */
export interface SchemaProps<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  /** Never there at run time. */
  readonly types?: SchemaTypes<Input, Output> | undefined;
  readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
}

/**
 * Says the JSON Schema of either side; throws for what the target cannot express. Source:
 * https://standardschema.dev/json-schema.
 */
export interface JsonSchemaConverter {
  readonly input: (options: {
    readonly target: 'draft-2020-12' | 'draft-07' | 'openapi-3.0' | (string & {});
  }) => Record<string, unknown>;
  readonly output: (options: {
    readonly target: 'draft-2020-12' | 'draft-07' | 'openapi-3.0' | (string & {});
  }) => Record<string, unknown>;
}

/** `SchemaProps` of a schema that can say its JSON Schema. */
export interface SchemaPropsWithJson<Input, Output> extends SchemaProps<Input, Output> {
  readonly jsonSchema: JsonSchemaConverter;
}

/** A Standard Schema: enough to validate (advisor parameters, configuration). */
export interface Schema<Input = unknown, Output = Input> {
  readonly '~standard': SchemaProps<Input, Output>;
}

/** A Standard Schema that can also say its JSON Schema: what `jsonSchema` and `withJsonSchema` give. */
export interface SchemaWithJson<Input = unknown, Output = Input> {
  readonly '~standard': SchemaPropsWithJson<Input, Output>;
}

/** What every Standard Schema is, asked as shallowly as inference allows. */
export interface AnySchema {
  readonly '~standard': {
    readonly version: 1;
    readonly types?: SchemaTypes<unknown, unknown> | undefined;
    readonly validate: (value: unknown) => unknown;
  };
}

/**
 * What tools and entities take: a Standard Schema that can also say its JSON Schema. zod >= 4.2 and arktype can; for valibot use
 * `toStandardJsonSchema` of `@valibot/to-json-schema`; for anything else `withJsonSchema(schema, json)`. A schema that cannot is a
 * compile error and, for untyped callers, a `VernalError` with code `schema_without_json_schema` that names these ways out.
 */
export interface AnySchemaWithJson {
  readonly '~standard': {
    readonly version: 1;
    readonly types?: SchemaTypes<unknown, unknown> | undefined;
    readonly validate: (value: unknown) => unknown;
    readonly jsonSchema: { readonly input: unknown; readonly output: unknown };
  };
}

/** What a schema accepts, before defaults and transforms. One look-up, no recursion. */
export type InferInput<S extends AnySchema> = NonNullable<S['~standard']['types']>['input'];

/** What a schema yields, after defaults and transforms. One look-up, no recursion. */
export type InferOutput<S extends AnySchema> = NonNullable<S['~standard']['types']>['output'];
