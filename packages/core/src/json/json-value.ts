/** JSON values, and what the factories of plain data accept in their place. */

export type JsonPrimitive = string | number | boolean | null;

/** What JSON can hold, readonly: it comes back equal from `JSON.parse(JSON.stringify(value))`. */
export type JsonValue = JsonPrimitive | readonly JsonValue[] | JsonObject;

/** An object of JSON, any key. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON Schema document (draft 2020-12 unless a provider says otherwise). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** `T` as a factory takes it: every field may be left out or undefined. The factory drops what is undefined. */
export type Input<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * What a factory takes where it stores JSON. `Date` becomes ISO-8601 UTC text, `undefined` members are dropped.
 * Functions, symbols and bigint do not type-check; NaN and infinities are refused at run time (`invalid_argument`).
 */
export type JsonInput = JsonPrimitive | Date | undefined | readonly JsonInput[] | JsonInputObject;

/** An object of `JsonInput`; members that are undefined are dropped. */
export interface JsonInputObject {
  readonly [key: string]: JsonInput;
}
