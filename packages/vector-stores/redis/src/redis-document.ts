import type { Document, JsonValue, Metadata } from '@vernal/core';
import { wordsOf } from '@vernal/vector-store';
import { filterableEntries, metadataTokens } from './metadata-tokens.js';
import type { RedisArgument } from './redis-client.js';
import type { FoundHash } from './redis-reply.js';
import type { IndexedField, RedisSettings } from './redis-settings.js';
import { originalText, storableText } from './redis-text.js';

/** Parts the values of a tag field; a character that no text has on purpose. */
export const SEPARATOR = '\u001f';

export function keyOf(id: string, { prefix }: RedisSettings): string {
  return prefix + storableText(id);
}

/** The commands that write one document. What else is in the hash, and when it expires, stays. */
export function writeCommands(document: Document, vector: Float32Array, settings: RedisSettings): RedisArgument[][] {
  const key = keyOf(document.id, settings);
  const json = JSON.stringify(document.metadata);
  const text = document.text ?? '';
  const metadata = JSON.parse(json) as Metadata;
  const fields: RedisArgument[] = ['content', storableText(text), 'metadata', json, 'embedding', vectorBytes(vector)];
  fields.push('words', wordsOf(text, true).join(' '), 'tokens', [...metadataTokens(metadata)].join(','));
  const absent: string[] = [];
  const values = settings.fields.length === 0 ? undefined : new Map(filterableEntries(metadata));
  for (const field of settings.fields) {
    const value = indexedValue(field, values?.get(field.name));
    if (value === undefined) absent.push(field.alias);
    else fields.push(field.alias, value);
  }
  const write: RedisArgument[] = ['hset', key, ...fields];
  return absent.length === 0 ? [write] : [write, ['hdel', key, ...absent]];
}

/** A value of the field's type; one of another would keep the whole document out of the index. */
function indexedValue({ type }: IndexedField, value: JsonValue | undefined): string | undefined {
  if (type === 'numeric') return typeof value === 'number' ? String(value) : undefined;
  const values = (Array.isArray(value) ? value : [value]).flatMap((item) =>
    typeof item === 'string' || (type === 'tag' && (typeof item === 'number' || typeof item === 'boolean'))
      ? String(item)
      : [],
  );
  if (values.length === 0) return undefined;
  return type === 'tag' ? values.map(storableText).join(SEPARATOR) : wordsOf(values.join('\n'), true).join(' ');
}

export function vectorBytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Of a field that was read as bytes. */
export function vectorOf(bytes: unknown): Float32Array | undefined {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** Undefined for a hash under the prefix that no store wrote. */
export function metadataOf({ fields }: FoundHash): Metadata | undefined {
  const json = fields.get('metadata');
  if (json === undefined) return undefined;
  try {
    return JSON.parse(json) as Metadata;
  } catch {
    return undefined;
  }
}

export function documentOf({ key, fields }: FoundHash, metadata: Metadata, { prefix }: RedisSettings): Document {
  return { id: originalText(key.slice(prefix.length)), text: originalText(fields.get('content') ?? ''), metadata };
}
