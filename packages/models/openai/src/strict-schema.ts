import type { JsonSchema } from '@vernal/core';
import { closedJsonSchema } from '@vernal/core/adapter';

/** `schema` as strict mode takes it. Source: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
export function strictSchema(schema: JsonSchema): JsonSchema {
  return closedJsonSchema(schema, { requireAll: true, accepts });
}

const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);

function accepts(keyword: string, value: unknown): boolean {
  switch (keyword) {
    // A default is for whoever leaves the property out, and nobody may.
    case 'default':
      return false;
    case 'format':
      return FORMATS.has(value);
    case 'pattern':
      return !looksAround(value);
    default:
      return true;
  }
}

function looksAround(pattern: unknown): boolean {
  return typeof pattern === 'string' && /\(\?<?[=!]/.test(pattern);
}
