import { invalidArgument, type JsonValue, type Metadata } from '@vernal/core';
import { readableText } from '@vernal/core/adapter';
import { searchedWords } from './searched-words.js';

/**
 * How a metadata key is searched: `'numeric'` by numbers, `'tag'` by whole values (texts, numbers, booleans, and each of a list), `'text'` by
 * words.
 */
export type RedisMemoryFieldType = 'numeric' | 'tag' | 'text';

/** A declared metadata key. */
export interface MetadataField {
  readonly name: string;
  readonly type: RedisMemoryFieldType;
  /** In the copy and in queries: letters, digits and '_'. */
  readonly alias: string;
}

/** Parts the values of a list; a character that no text has on purpose. */
export const SEPARATOR = '\u001f';
/** A backslash of a value that stands beside the query is read as one of the query all the same. */
const SPECIAL = '\\';
const BLANK = '\u2423';
const LONGEST_TAG = 200;
const TYPES = ['numeric', 'tag', 'text'];
/** The engine takes some 1,000 fields; the stack of a script, 8,000 values. */
const MOST = 500;

/** Throws `invalid_argument` for types that there are not, and for names that are too alike. */
export function metadataFieldsOf(declared: Readonly<Record<string, RedisMemoryFieldType>>): readonly MetadataField[] {
  if (typeof declared !== 'object' || declared === null || Array.isArray(declared))
    throw invalidArgument('metadataFields', "must be an object of names and types, such as { lang: 'tag' }");
  const entries = Object.entries(declared);
  if (entries.length > MOST) throw invalidArgument('metadataFields', `must be at most ${MOST}`);
  const aliases = new Set<string>();
  return entries.map(([name, type]) => {
    if (!TYPES.includes(type)) throw invalidArgument(`metadataFields.${name}`, `must be one of ${TYPES.join(', ')}`);
    const code = (character: string): string => `_${character.codePointAt(0)?.toString(16)}_`;
    const alias = `metadata_${name.replace(/[^A-Za-z0-9_]/gu, code)}`;
    if (aliases.has(alias)) throw invalidArgument(`metadataFields.${name}`, 'differs too little from another');
    aliases.add(alias);
    return { name, type, alias };
  });
}

/** What the copy of a message holds of a key; '' for nothing, also for a value of another type, which would keep the copy out of the index. */
export function indexedValue({ name, type }: MetadataField, metadata: Metadata): string {
  const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
  if (type === 'numeric') return typeof value === 'number' ? String(value) : '';
  const values = valuesOf(value);
  if (type === 'tag') return values.map(tagOf).join(SEPARATOR);
  return searchedWords(values.filter((one) => typeof one === 'string').join('\n')).join(' ');
}

/**
 * How a value of the type 'tag' is indexed and asked for. The engine knows no blank values and no white space at their ends; long ones would
 * fill its memory. What it finds is compared with the value itself.
 */
export function tagOf(value: string | number | boolean): string {
  const text = readableText(String(value)).replaceAll(SPECIAL, ' ').replaceAll(SEPARATOR, ' ').trim();
  return text === ''
    ? BLANK
    : Array.from(text.slice(0, 2 * LONGEST_TAG))
        .slice(0, LONGEST_TAG)
        .join('')
        .trim();
}

/** Those that are searched: of a list its parts. */
export function valuesOf(value: JsonValue | undefined): (string | number | boolean)[] {
  return (Array.isArray(value) ? value : [value]).filter(
    (one): one is string | number | boolean =>
      typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean',
  );
}
