import type { VectorMetric } from '@vernal/vector-store';
import { wordsOf } from '@vernal/vector-store';
import { NO_TOKEN } from './metadata-tokens.js';
import type { RedisArgument } from './redis-client.js';
import { vectorBytes } from './redis-document.js';
import { REDIS_METRICS } from './redis-metric.js';
import type { FoundHash } from './redis-reply.js';
import type { RedisSettings } from './redis-settings.js';

/** The engine's own limit of what one search gives. */
export const MOST_RESULTS = 1_000_000;

/** A search of any kind, but for how many it is to find. */
export interface RedisQuery {
  readonly withScores: boolean;
  /** What comes behind FT.SEARCH and the index. */
  command(count: number): RedisArgument[];
  /** Score of the port and the engine's own distance. */
  rate(hit: FoundHash): { readonly score: number; readonly distance: number };
}

const DISTANCE = 'distance';

/** The nearest to a vector among what `condition` finds. */
export function vectorQuery(vector: Float32Array, condition: string, settings: RedisSettings): RedisQuery {
  const { algorithm, efRuntime, metric } = settings;
  const bytes = vectorBytes(vector);
  return {
    withScores: false,
    command(count) {
      const ef = algorithm === 'HNSW' ? ` EF_RUNTIME ${Math.max(efRuntime, Math.min(count, 4096))}` : '';
      return [
        `(${condition})=>[KNN ${count} @embedding $vector${ef} AS ${DISTANCE}]`,
        ...['PARAMS', 2, 'vector', bytes, 'SORTBY', DISTANCE, 'ASC'],
        ...['RETURN', 3, 'content', 'metadata', DISTANCE, ...ending(0, count, settings)],
      ];
    },
    rate: ({ fields }) => rated(metric, Number(fields.get(DISTANCE))),
  };
}

function rated(metric: VectorMetric, distance: number): { score: number; distance: number } {
  return { score: REDIS_METRICS[metric].score(distance), distance };
}

/** What holds words of the query, best ranking first; undefined for a query without words. The condition is no part of the ranking. */
export function keywordQuery(query: string, condition: string, settings: RedisSettings): RedisQuery | undefined {
  const words = [...new Set(wordsOf(query))];
  if (words.length === 0) return undefined;
  const fields = ['words', ...settings.fields.flatMap(({ type, alias }) => (type === 'text' ? alias : []))];
  // The engine heeds the weight of a conjunction only. It is there without a condition too, for by itself a choice of words ranks otherwise.
  const always = `(-@tokens:{${NO_TOKEN}})`;
  const within = `((${condition === '*' ? always : condition} ${always}) => { $weight: 0; })`;
  return {
    withScores: true,
    command: (count) => [
      `(@${fields.join('|')}:(${words.join(' | ')}) ${within})`,
      ...['WITHSCORES', 'SCORER', settings.textScorer],
      ...(settings.language === undefined ? [] : ['LANGUAGE', settings.language]),
      ...['RETURN', 2, 'content', 'metadata', ...ending(0, count, settings)],
    ],
    rate({ score: ranking }) {
      // Brought into 0 to 1, which keeps the order.
      const score = ranking / (1 + ranking);
      return { score, distance: 1 - score };
    },
  };
}

/**
 * Metadata of what a condition finds, in pages. In the order in which it was written: any other ranking counts documents and words, so
 * what is deleted between two pages could put others into pages that are past.
 */
export function pageCommand(
  condition: string,
  offset: number,
  count: number,
  settings: RedisSettings,
): RedisArgument[] {
  return [condition, 'SCORER', 'DOCSCORE', 'RETURN', 1, 'metadata', ...ending(offset, count, settings)];
}

/** Later than the client gives up, for what the engine has found by then it takes for the answer. */
function ending(offset: number, count: number, { timeoutMs }: RedisSettings): RedisArgument[] {
  return ['LIMIT', offset, count, 'TIMEOUT', timeoutMs * 2, 'DIALECT', 2];
}
