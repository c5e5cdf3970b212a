import { isJsonValue } from '../json/is-json-value.js';
import { toJsonValue } from '../json/to-json-value.js';

/**
 * The default result conversion, for those who write `ToolCallback`s. Never throws and always gives text: strings as they are
 * (also when they hold JSON), undefined as 'Done', bigint as its digits, a `Date` as ISO text, anything else as JSON. What JSON
 * cannot hold is turned or cut as `toJsonValue` says: `Map`, `Set`, typed arrays and errors keep their content, cycles become '[Circular]'.
 * Source: `DefaultToolCallResultConverter` of spring-ai-model.
 *
 * @example
 * convertToolResult(new Map([['k', 10n]])); // '{"k":"10"}'
 */
export function convertToolResult(result: unknown): string {
  if (typeof result === 'string') return result;
  if (result === undefined) return 'Done';
  if (typeof result === 'bigint') return result.toString();
  try {
    if (result instanceof Date) return result.toISOString();
    if (typeof result !== 'object' || result === null) return JSON.stringify(scalar(result));
    return JSON.stringify(isJsonValue(result) ? result : toJsonValue(result));
  } catch {
    // A getter or toJSON of the tool's own that throws, a date out of range, or nesting that exhausts the stack.
    return 'The tool gave a result that cannot be written as text.';
  }
}

function scalar(value: unknown): string | number | boolean | null {
  if (typeof value === 'symbol') return value.toString();
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
