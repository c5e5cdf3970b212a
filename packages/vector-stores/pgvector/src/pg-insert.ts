import type { Document, JsonValue } from '@vernal/core';
import type { PgSettings } from './pg-settings.js';
import type { PgStatement } from './pg-statement.js';
import { storableCell, storableJson } from './pg-text.js';
import { vectorText } from './pg-vector-text.js';

/** Characters of parameters a statement, about: what it costs in memory, and far from the longest string there can be. */
const STATEMENT_CHARACTERS = 16_000_000;
/** Of one float32 in text, about. */
const NUMBER_CHARACTERS = 20;

/**
 * Statements that write the documents, made one at a time. Each has four parameters, however many documents it writes. Documents are in
 * the order of their ids: writers of the same ones would otherwise lock each other out.
 */
export function* insertStatements(
  { table, idCast, vectorType }: PgSettings,
  ids: readonly string[],
  documents: readonly Document[],
  vectors: readonly Float32Array[],
): Generator<PgStatement> {
  const text = `INSERT INTO ${table} (id, content, metadata, embedding)
    SELECT id::${idCast}, content, metadata::jsonb, embedding::${vectorType}
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS given (id, content, metadata, embedding)
    ON CONFLICT (id) DO UPDATE SET content = excluded.content, metadata = excluded.metadata, embedding = excluded.embedding`;
  let values: [string[], string[], string[], string[]] = [[], [], [], []];
  let characters = 0;
  for (const index of inOrderOf(ids)) {
    const { text: content = '', metadata = {} } = documents[index] ?? {};
    const vector = vectors[index] ?? new Float32Array(0);
    const json = storableJson(metadata as JsonValue);
    const size = content.length + json.length + vector.length * NUMBER_CHARACTERS;
    if (characters > 0 && characters + size > STATEMENT_CHARACTERS) {
      yield { text, values };
      values = [[], [], [], []];
      characters = 0;
    }
    characters += size;
    values[0].push(ids[index] ?? '');
    values[1].push(storableCell(content));
    values[2].push(json);
    values[3].push(vectorText(vector));
  }
  yield { text, values };
}

function inOrderOf(ids: readonly string[]): number[] {
  const order = ids.map((_, index) => index);
  return order.sort((a, b) => ((ids[a] ?? '') < (ids[b] ?? '') ? -1 : 1));
}
