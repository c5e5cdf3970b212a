import type { JsonSchema } from '@vernal/core';
import { closedJsonSchema } from '@vernal/core/adapter';

/** `schema` as structured outputs take it. Source: https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
export function outputSchema(schema: JsonSchema): JsonSchema {
  return closedJsonSchema(schema, { requireAll: false, accepts });
}

const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);

const UNKNOWN_KEYWORDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
]);

function accepts(keyword: string, value: unknown): boolean {
  switch (keyword) {
    case 'format':
      return FORMATS.has(value);
    case 'minItems':
      return value === 0 || value === 1;
    case 'pattern':
      return typeof value !== 'string' || !/\(\?<?[=!]|\\[bB1-9]/.test(value);
    default:
      return !UNKNOWN_KEYWORDS.has(keyword);
  }
}
