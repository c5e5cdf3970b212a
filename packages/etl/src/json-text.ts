import { type JsonObject, type JsonValue, VernalError } from '@vernal/core';

/** @throws VernalError `resource` with `details.reason` 'invalid_json' and the place; `subject` says what it is */
export function parseJson(
  text: string,
  subject: string,
  place: { readonly line?: number; readonly index?: number },
): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // The parser's own message quotes the text, so it is not kept as the cause.
    throw new VernalError(
      `${subject} is not valid JSON. Correct it${place.line === undefined ? '' : ', or pass onBadLine to skip such lines'}`,
      {
        code: 'resource',
        subject,
        details: { reason: 'invalid_json', ...place },
      },
    );
  }
}

/** What a value is in a document: a string itself, an object as lines of its `keys` if it has any, all else JSON. */
export function jsonText(value: JsonValue, keys: readonly string[] | undefined): string {
  if (typeof value === 'string') return value;
  if (keys !== undefined && isJsonObject(value)) {
    const lines = keys.flatMap((key) => {
      const property = Object.hasOwn(value, key) ? value[key] : undefined;
      if (property === undefined) return [];
      return [`${key}: ${typeof property === 'string' ? property : JSON.stringify(property)}`];
    });
    if (lines.length > 0) return lines.join('\n');
  }
  return JSON.stringify(value);
}

export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
