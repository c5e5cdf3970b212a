import type { JsonValue } from '@vernal/core';

/** PostgreSQL holds neither U+0000 nor half surrogates: they are written as this character and a code, and so is the character itself. */
const MARK = '\u{F0000}';
const UNSTORABLE = /\0|\u{F0000}|\p{Surrogate}/gu;
const WRITTEN = /\u{F0000}([0-9a-f]{1,5});/gu;

/** Text as PostgreSQL can hold it. Nearly every text is that already. */
export function storableText(text: string): string {
  return text.replace(UNSTORABLE, (character) => `${MARK}${character.codePointAt(0)?.toString(16)};`);
}

/** The same for a column: PGlite takes a byte order mark at the start of a value for no part of it. */
export function storableCell(text: string): string {
  const storable = storableText(text);
  return storable.startsWith('\ufeff') ? `${MARK}feff;${storable.slice(1)}` : storable;
}

/** The text that `storableText` or `storableCell` was given. */
export function originalText(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replace(WRITTEN, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** The same for every text in a value, keys included. */
export function storableJson(value: JsonValue): string {
  const json = JSON.stringify(value);
  // JSON writes what is unstorable as escapes; the mark stands for itself.
  if (!/\\u(?:0000|d[89a-f]..)/.test(json) && !json.includes(MARK)) return json;
  return JSON.stringify(mapTexts(value, storableText));
}

/** The value whose text `storableJson` gave. */
export function originalJson(json: string): JsonValue {
  const value = JSON.parse(json) as JsonValue;
  return json.includes(MARK) ? mapTexts(value, originalText) : value;
}

function mapTexts(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapTexts(item, map)]));
}
