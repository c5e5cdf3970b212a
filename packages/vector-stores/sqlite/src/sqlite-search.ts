import type { Document, JsonValue, Metadata } from '@vernal/core';
import { type SqliteConnection, sqlIdentifier } from '@vernal/sql';
import type { NormalFilter } from '@vernal/vector-store';
import { reciprocalRankFusion } from '@vernal/vector-store';
import { condition, fragment, type SqliteFragment, sql } from './sqlite-filter.js';
import { distanceTo, vectorOf } from './sqlite-metric.js';
import type { SqliteSettings } from './sqlite-settings.js';
import { originalJson, originalText } from './sqlite-text.js';
import { wordQuery } from './word-query.js';

/** A document that was found. `vector` is empty unless it was asked for. */
export interface SqliteHit {
  readonly id: string;
  readonly text: string;
  readonly metadata: Metadata;
  readonly score: number;
  readonly distance: number;
  readonly vector: Float32Array;
}

/** What one list of hits is found by. */
export interface SqliteList {
  readonly limit: number;
  readonly filter: NormalFilter | undefined;
  readonly withVectors: boolean;
}

interface Row {
  readonly id: string;
  readonly content: string;
  readonly metadata: string;
  readonly embedding?: ArrayBuffer | Uint8Array;
  readonly measure: number;
}

/** By nearness, best first; what is equally near in the order in which it came. Exact: the filter comes first. */
export function nearestHits(
  database: SqliteConnection,
  settings: SqliteSettings,
  query: Float32Array,
  list: SqliteList,
): SqliteHit[] {
  const { documents, vectors } = settings;
  const { sql: measure, distance, score } = distanceTo(settings.metric, query);
  // CROSS JOIN keeps the order: what the filter refuses has no distance computed.
  const from =
    list.filter === undefined
      ? fragment(`${vectors} AS v`)
      : sql`${fragment(documents)} AS d CROSS JOIN ${fragment(vectors)} AS v ON v."row" = d."row" WHERE ${condition(list.filter)}`;
  // The limit is a parameter because libsql ends the process when the only value of a statement is a blob.
  const nearest = sql`SELECT v."row" AS "row", ${measure} AS measure FROM ${from}
    ORDER BY measure NULLS LAST, v."row" LIMIT ${fragment('?', list.limit)}`;
  return read(database, settings, nearest, list).map((row) => hit(row, score(row.measure), distance(row.measure)));
}

/** By BM25, best first; scores are brought into 0 to 1 by s / (1 + s), which keeps their order. FTS5 gives s below zero. */
export function wordHits(
  database: SqliteConnection,
  settings: SqliteSettings,
  query: string,
  list: SqliteList,
): SqliteHit[] {
  const { documents, words, nameOfWords, tokenizer = '' } = settings;
  const asked = wordQuery(query, tokenizer);
  if (asked === undefined) return [];
  const from = sql`${fragment(words)} AS f JOIN ${fragment(documents)} AS d ON d."row" = f.rowid
    WHERE ${fragment(`f.${sqlIdentifier('sqlite', nameOfWords, 'table')}`)} MATCH ${fragment('?', asked)}`;
  const wanted = list.filter === undefined ? from : sql`${from} AND ${condition(list.filter)}`;
  const best = sql`SELECT f.rowid AS "row", f.rank AS measure FROM ${wanted}
    ORDER BY measure, f.rowid LIMIT ${fragment('?', list.limit)}`;
  return read(database, settings, best, list).map((row) => {
    const score = row.measure / (row.measure - 1);
    return hit(row, score, 1 - score);
  });
}

/** Lists joined by reciprocal rank fusion. */
export function fusedHits(lists: readonly (readonly SqliteHit[])[], limit: number): SqliteHit[] {
  const byId = new Map(lists.flat().map((one) => [one.id, one]));
  const hits: SqliteHit[] = [];
  for (const [id, score] of reciprocalRankFusion(lists.map((list) => list.map((one) => one.id)))) {
    const one = byId.get(id);
    if (one !== undefined) hits.push({ ...one, score, distance: 1 - score });
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, limit);
}

export function foundDocument({ id, text, metadata, score, distance }: SqliteHit): Document {
  return { id, text, metadata: { ...metadata, distance }, score };
}

/** Texts are read of those rows alone that are given out. */
function read(
  database: SqliteConnection,
  { documents, vectors }: SqliteSettings,
  ranked: SqliteFragment,
  { withVectors }: SqliteList,
): Row[] {
  const embedding = `(SELECT v.embedding FROM ${vectors} AS v WHERE v."row" = n."row")`;
  const { text, values } = sql`SELECT d.id AS id, d.content AS content, d.metadata AS metadata, n.measure AS measure
    ${fragment(withVectors ? `, ${embedding} AS embedding` : '')}
    FROM (${ranked}) AS n JOIN ${fragment(documents)} AS d ON d."row" = n."row"
    WHERE n.measure IS NOT NULL ORDER BY n.measure, n."row"`;
  return database.prepare(text).all(...values) as Row[];
}

function hit({ id, content, metadata, embedding }: Row, score: number, distance: number): SqliteHit {
  return {
    id: originalText(id),
    text: originalText(content),
    metadata: asMetadata(originalJson(metadata)),
    score,
    distance,
    vector: embedding === undefined ? new Float32Array(0) : vectorOf(embedding),
  };
}

function asMetadata(value: JsonValue): Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Metadata) : {};
}
