import type { AnySchema, InferOutput, SchemaIssue, SchemaResult } from '@vernal/core';

/** What the schema makes of a value, or what is wrong with it. */
export async function readWithSchema<S extends AnySchema>(
  schema: S,
  value: unknown,
): Promise<SchemaResult<InferOutput<S>>> {
  // A Standard Schema answers with one of the two, at once or later; its type is asked shallowly to keep inference cheap.
  return (await schema['~standard'].validate(value)) as SchemaResult<InferOutput<S>>;
}

/** Path and message of each issue; never a value. */
export function issuesText(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ path, message }) => {
      const at = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
      return at === '' ? message : `${at}: ${message}`;
    })
    .join('; ');
}
