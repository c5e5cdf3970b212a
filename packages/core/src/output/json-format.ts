import type { JsonSchema } from '../json/json-value.js';

/** Tells a model to write JSON that fits `schema`, and nothing around it. */
export function jsonFormat(schema: JsonSchema): string {
  return `Answer with a single JSON value (RFC 8259) and nothing else: no introduction, no explanation, no comments, no Markdown code fence.
The value has to be an instance of this JSON Schema; do not repeat the schema itself.
${JSON.stringify(schema, undefined, 2)}`;
}
