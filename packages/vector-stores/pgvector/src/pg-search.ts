import type { Document, JsonValue, Metadata } from '@vernal/core';
import type { NormalFilter, VectorMetric } from '@vernal/vector-store';
import { reciprocalRankFusion, roundScore } from '@vernal/vector-store';
import { PARAMETER } from './pg-filter.js';
import { PG_METRICS } from './pg-metric.js';
import type { PgSettings } from './pg-settings.js';
import { condition, type PgStatement, statement } from './pg-statement.js';
import { originalJson, originalText } from './pg-text.js';
import { askedWords, searchedText } from './pg-text-search.js';
import { vectorText } from './pg-vector-text.js';

/** A document that was found. `vector` is empty unless it was asked for. */
export interface PgHit {
  readonly id: string;
  readonly text: string;
  readonly metadata: Metadata;
  readonly score: number;
  readonly distance: number;
  readonly vector: Float32Array;
}

/** What one list of hits is found by. */
export interface PgList {
  readonly limit: number;
  readonly filter: NormalFilter | undefined;
  readonly withVectors: boolean;
}

interface Row {
  readonly id: string;
  readonly content: string | null;
  readonly metadata: string | null;
  readonly embedding?: string | null;
  readonly measure: number | string | null;
}

/** What LIMIT takes as an integer. */
const MOST_ROWS = 2 ** 31 - 1;

/** Types of the driver's own making never see the values: they come as text. */
const columns = ({ withVectors }: PgList): string =>
  `id::text AS id, content, metadata::text AS metadata${withVectors ? ', embedding::text AS embedding' : ''}`;

/** The nearest, by the metric's distance. */
export function nearestStatement(settings: PgSettings, vector: Float32Array, list: PgList): PgStatement {
  const { table, metric, vectorType, indexType } = settings;
  const where = condition(list.filter);
  // No index is in the order of a sum: one that somebody else has made would make the search approximate.
  const order = indexType === 'none' ? 'measure + 0' : 'measure';
  return statement(
    `SELECT * FROM (
       SELECT ${columns(list)}, embedding ${PG_METRICS[metric].operator} ${PARAMETER}::${vectorType} AS measure FROM ${table}
       WHERE ${where.text}) AS near
     ORDER BY ${order} LIMIT ${PARAMETER}::int`,
    [vectorText(vector), ...where.params, Math.min(list.limit, MOST_ROWS)],
  );
}

/** Those that hold a word of the query, by `ts_rank`: 1 divides by the logarithm of the length, 32 brings it into 0 to 1. */
export function wordsStatement(settings: PgSettings, config: string, query: string, list: PgList): PgStatement {
  const where = condition(list.filter);
  const asked = askedWords(config, query);
  const text = searchedText(config);
  return statement(
    `WITH asked AS MATERIALIZED (SELECT ${asked.text} AS words)
     SELECT ${columns(list)}, ts_rank(${text}, (SELECT words FROM asked), 33) AS measure FROM ${settings.table}
     WHERE ${text} @@ (SELECT words FROM asked) AND ${where.text} ORDER BY measure DESC, id LIMIT ${PARAMETER}::int`,
    [...asked.params, ...where.params, Math.min(list.limit, MOST_ROWS)],
  );
}

/** Best first, whatever order an index gave. Rows without a vector, or with one of zeros under cosine, are near to nothing. */
export function nearestHits(rows: readonly unknown[], metric: VectorMetric): PgHit[] {
  return (rows as Row[])
    .filter(({ measure }) => measure !== null && !Number.isNaN(Number(measure)))
    .map((row) => {
      const distance = Number(row.measure);
      return hit(row, roundScore(metric, PG_METRICS[metric].score(distance)), distance);
    })
    .sort((a, b) => a.distance - b.distance);
}

export function wordHits(rows: readonly unknown[]): PgHit[] {
  return (rows as Row[]).map((row) => hit(row, Number(row.measure), 1 - Number(row.measure)));
}

/** Lists joined by reciprocal rank fusion. */
export function fusedHits(lists: readonly (readonly PgHit[])[], limit: number): PgHit[] {
  const byId = new Map(lists.flat().map((one) => [one.id, one]));
  const hits: PgHit[] = [];
  for (const [id, score] of reciprocalRankFusion(lists.map((list) => list.map((one) => one.id)))) {
    const one = byId.get(id);
    if (one !== undefined) hits.push({ ...one, score, distance: 1 - score });
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, limit);
}

export function foundDocument({ id, text, metadata, score, distance }: PgHit): Document {
  return { id, text, metadata: { ...metadata, distance }, score };
}

function hit({ id, content, metadata, embedding }: Row, score: number, distance: number): PgHit {
  const vector = Float32Array.from(embedding ? (JSON.parse(embedding) as number[]) : []);
  return {
    id: originalText(id),
    text: originalText(content ?? ''),
    metadata: asMetadata(originalJson(metadata ?? '{}')),
    score,
    distance,
    vector,
  };
}

function asMetadata(value: JsonValue): Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Metadata) : {};
}
