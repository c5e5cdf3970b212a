import type { JsonInput, JsonValue } from './json-value.js';

/** Keeps only JSON: the rest of `value` is turned or cut as `convertToolResult` says. */
export declare function toJsonValue(value: JsonInput | object): JsonValue;
