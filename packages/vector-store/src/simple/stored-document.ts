import type { Document, JsonValue } from '@vernal/core';
import { document } from '@vernal/core';

function freeze(value: JsonValue): void {
  if (typeof value !== 'object' || value === null) return;
  Object.freeze(value);
  for (const member of Array.isArray(value) ? value : Object.values(value)) freeze(member);
}

/**
 * What the store keeps of a document: a copy whose metadata nobody can change, neither who gave it nor who finds it. A score belongs to
 * the search it came from and is left out.
 *
 * @throws VernalError `invalid_argument` for what is no document or no JSON
 */
export function storedDocument({ id, text, media, metadata, format }: Document): Document {
  const stored = document({ id, text, media, metadata, format });
  freeze(stored.metadata);
  return stored;
}
