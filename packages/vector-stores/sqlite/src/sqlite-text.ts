import type { JsonValue } from '@vernal/core';

/**
 * Drivers cut texts at U+0000 and replace half surrogates: they are written as this character and a code, and so is the character itself. In
 * keys of metadata whatever JSON would escape is written so too: a path of SQLite then names them letter by letter.
 */
const MARK = '\u{F0000}';
const UNSTORABLE = /\0|\u{F0000}|\p{Surrogate}/gu;
const UNSTORABLE_IN_KEYS = /["\\]|\u{F0000}|\p{Surrogate}|(?![\x7f-\x9f])\p{Cc}/gu;
const WRITTEN = /\u{F0000}([0-9a-f]{1,5});/gu;

/** Text as every driver can hold it. Nearly every text is that already. */
export function storableText(text: string): string {
  return text.replace(UNSTORABLE, marked);
}

/** A key of metadata, in which JSON escapes nothing. */
export function storableKey(key: string): string {
  return key.replace(UNSTORABLE_IN_KEYS, marked);
}

/** The text or key that was made storable. */
export function originalText(text: string): string {
  if (!text.includes(MARK)) return text;
  return text.replace(WRITTEN, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** A value as JSON, every text and key in it made storable. */
export function storableJson(value: JsonValue): string {
  const json = JSON.stringify(value);
  if (!json.includes('\\') && !json.includes(MARK)) return json;
  return JSON.stringify(mapTexts(value, storableText, storableKey));
}

/** The value that `storableJson` was given. */
export function originalJson(json: string): JsonValue {
  const value = JSON.parse(json) as JsonValue;
  return json.includes(MARK) ? mapTexts(value, originalText, originalText) : value;
}

function marked(character: string): string {
  return `${MARK}${character.codePointAt(0)?.toString(16)};`;
}

function mapTexts(value: JsonValue, text: (text: string) => string, key: (key: string) => string): JsonValue {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, text, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [key(name), mapTexts(item, text, key)]));
}
