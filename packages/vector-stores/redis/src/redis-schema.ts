import { VernalError } from '@vernal/core';
import type { RedisArgument, RedisClient } from './redis-client.js';
import { SEPARATOR } from './redis-document.js';
import { REDIS_METRICS } from './redis-metric.js';
import { listOf, pairsOf } from './redis-reply.js';
import type { IndexedField, RedisSettings } from './redis-settings.js';

/** An index as the engine describes it. */
export interface IndexShape {
  readonly prefixes: readonly string[];
  /** By alias; upper-case types. */
  readonly types: ReadonlyMap<string, string>;
  readonly metric: string | undefined;
  readonly dimensions: number | undefined;
  /** Keys that were there before the index are still being read. */
  readonly indexing: boolean;
}

export async function createIndex(client: RedisClient, settings: RedisSettings, dimensions: number): Promise<void> {
  const { index, prefix, language, fields } = settings;
  await client.call('FT.CREATE', [
    ...[index, 'ON', 'HASH', 'PREFIX', 1, prefix],
    // Without offsets: with them a filter changes the ranking of words. Other words than those of one language have no stems.
    ...(language === undefined ? [] : ['LANGUAGE', language]),
    ...['NOOFFSETS', 'STOPWORDS', 0, 'SCHEMA', 'words', ...textField(language), 'tokens', 'TAG', 'SEPARATOR', ','],
    ...vectorField(settings, dimensions),
    ...fields.flatMap((field) => [field.alias, ...indexField(field, language)]),
  ]);
}

function vectorField(
  { algorithm, metric, m, efConstruction, efRuntime }: RedisSettings,
  dimensions: number,
): RedisArgument[] {
  const graph = algorithm === 'HNSW' ? ['M', m, 'EF_CONSTRUCTION', efConstruction, 'EF_RUNTIME', efRuntime] : [];
  const parts = ['TYPE', 'FLOAT32', 'DIM', dimensions, 'DISTANCE_METRIC', REDIS_METRICS[metric].name, ...graph];
  return ['embedding', 'VECTOR', algorithm, parts.length, ...parts];
}

function indexField({ type }: IndexedField, language: string | undefined): string[] {
  if (type === 'text') return textField(language);
  return type === 'tag' ? ['TAG', 'SEPARATOR', SEPARATOR, 'CASESENSITIVE'] : ['NUMERIC'];
}

function textField(language: string | undefined): string[] {
  return language === undefined ? ['TEXT', 'NOSTEM'] : ['TEXT'];
}

export async function readIndex(client: RedisClient, index: string): Promise<IndexShape> {
  const info = pairsOf(await client.call('FT.INFO', [index]));
  const attributes = listOf(info.get('attributes')).map(pairsOf);
  const vector = attributes.find((one) => one.get('attribute') === 'embedding');
  const dimensions = Number(vector?.get('dim'));
  return {
    prefixes: listOf(pairsOf(info.get('index_definition')).get('prefixes')).map(String),
    types: new Map(attributes.map((one) => [String(one.get('attribute')), String(one.get('type')).toUpperCase()])),
    metric: vector && String(vector.get('distance_metric')),
    dimensions: dimensions > 0 ? dimensions : undefined,
    indexing: Number(info.get('indexing')) > 0,
  };
}

/** Throws `store_read` with what does not fit, and how to mend it. `dimensions` undefined: any. */
export function validateIndex(shape: IndexShape, settings: RedisSettings, dimensions: number | undefined): void {
  const faults = indexFaults(shape, settings, dimensions);
  if (faults.length === 0) return;
  throw new VernalError(
    `The index of the vector store does not fit: ${faults.join('; ')}. Give 'index' and 'prefix' names of their own, or drop the index, create it with initializeSchema 'create' and add the documents again`,
    { code: 'store_read', subject: 'index', details: { faults } },
  );
}

function indexFaults(shape: IndexShape, settings: RedisSettings, dimensions: number | undefined): string[] {
  const faults: string[] = [];
  if (!shape.prefixes.includes(settings.prefix)) faults.push('it does not index the keys that start with the prefix');
  for (const [alias, type] of [
    ['words', 'TEXT'],
    ['tokens', 'TAG'],
    ['embedding', 'VECTOR'],
    ...settings.fields.map(({ alias, type }) => [alias, type.toUpperCase()] as const),
  ] as const) {
    const held = shape.types.get(alias);
    if (held === undefined) faults.push(`the field ${alias} is missing`);
    else if (held !== type) faults.push(`the field ${alias} is ${held}, not ${type}`);
  }
  const { name } = REDIS_METRICS[settings.metric];
  if (shape.metric !== undefined && shape.metric !== name) faults.push(`its metric is ${shape.metric}, not ${name}`);
  if (dimensions !== undefined && shape.dimensions !== undefined && shape.dimensions !== dimensions)
    faults.push(`its vectors have ${shape.dimensions} dimensions, those of the model ${dimensions}`);
  return faults;
}
