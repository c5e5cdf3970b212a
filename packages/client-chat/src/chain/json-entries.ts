import { isJsonValue, type JsonValue } from '@vernal/core';

/** The entries of a context that can wait outside of the process. */
export function jsonEntries(values: Readonly<Record<string, unknown>>): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, JsonValue] => isJsonValue(entry[1])),
  );
}
