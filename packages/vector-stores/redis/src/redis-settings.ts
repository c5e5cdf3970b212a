import { invalidArgument } from '@vernal/core';
import type { VectorMetric } from '@vernal/vector-store';
import type { RedisVectorStoreOptions } from './redis-vector-store-options.js';

/** A metadata key with a field of its own in the index. */
export interface RedisMetadataField {
  /** As filters write it: any key, dots lead into objects. */
  readonly name: string;
  readonly type: 'tag' | 'numeric' | 'text';
}

/** Ranking of the query engine. BM25STD needs search 2.10 (Redis 7.4) or later. */
export type RedisTextScorer = 'BM25STD' | 'BM25' | 'TFIDF' | 'TFIDF.DOCNORM' | 'DISMAX';

/** A declared field with its name in Redis. */
export interface IndexedField extends RedisMetadataField {
  /** In the hash and in queries: letters, digits and '_'. */
  readonly alias: string;
}

/** Options, checked, with defaults. */
export interface RedisSettings {
  readonly index: string;
  readonly prefix: string;
  readonly initializeSchema: 'create' | 'validate' | 'none';
  readonly algorithm: 'HNSW' | 'FLAT';
  readonly metric: VectorMetric;
  readonly dimensions: number | undefined;
  readonly m: number;
  readonly efConstruction: number;
  readonly efRuntime: number;
  readonly fields: readonly IndexedField[];
  readonly language: string | undefined;
  readonly textScorer: RedisTextScorer;
  readonly maxBatch: number;
  readonly timeoutMs: number;
}

export function redisSettings(options: RedisVectorStoreOptions): RedisSettings {
  const { index = 'spring-ai-index', prefix = 'embedding:', initializeSchema = 'none', algorithm = 'HNSW' } = options;
  const { metric = 'cosine', dimensions, hnsw = {}, metadataFields = [] } = options;
  const { language, textScorer = 'BM25STD' } = options;
  if (typeof index !== 'string' || index === '') throw invalidArgument('index', 'must be a name');
  // Without a prefix the index would take in every hash of the database.
  if (typeof prefix !== 'string' || prefix === '') throw invalidArgument('prefix', 'must be a text that is not empty');
  oneOf(initializeSchema, ['create', 'validate', 'none'], 'initializeSchema');
  oneOf(algorithm, ['HNSW', 'FLAT'], 'algorithm');
  oneOf(metric, ['cosine', 'euclidean', 'dot'], 'metric');
  oneOf(textScorer, ['BM25STD', 'BM25', 'TFIDF', 'TFIDF.DOCNORM', 'DISMAX'], 'textScorer');
  if (language !== undefined && !/^[a-z]+$/.test(language))
    throw invalidArgument('language', "must be a language in small letters: 'english'");
  return {
    index,
    prefix,
    initializeSchema,
    algorithm,
    metric,
    dimensions: dimensions === undefined ? undefined : within(dimensions, 1, 32_768, 'dimensions'),
    m: within(hnsw.m ?? 16, 2, 512, 'hnsw.m'),
    efConstruction: within(hnsw.efConstruction ?? 200, 1, 4096, 'hnsw.efConstruction'),
    efRuntime: within(hnsw.efRuntime ?? 10, 1, 4096, 'hnsw.efRuntime'),
    fields: indexedFields(metadataFields),
    language,
    textScorer,
    maxBatch: within(options.maxBatch ?? 200, 1, 10_000, 'maxBatch'),
    timeoutMs: within(options.timeoutMs ?? 30_000, 1, 2_147_483_647, 'timeoutMs'),
  };
}

/** Names in Redis follow from the name alone, so that the order of declarations means nothing. */
function indexedFields(declared: readonly RedisMetadataField[]): IndexedField[] {
  const seen = new Set<string>();
  return declared.map((field, at) => {
    const subject = `metadataFields[${at}]`;
    const { name, type } = field;
    if (typeof name !== 'string') throw invalidArgument(`${subject}.name`, 'must be a metadata key');
    oneOf(type, ['tag', 'numeric', 'text'], `${subject}.type`);
    const code = (character: string): string => `_${character.codePointAt(0)?.toString(16)}_`;
    const alias = `m_${name.replace(/[^A-Za-z0-9_]/gu, code)}`;
    if (seen.has(alias))
      throw invalidArgument(`${subject}.name`, 'is declared twice, or differs too little from another');
    seen.add(alias);
    return { name, type, alias };
  });
}

function oneOf(value: string, allowed: readonly string[], subject: string): void {
  if (!allowed.includes(value)) throw invalidArgument(subject, `must be one of ${allowed.join(', ')}`);
}

function within(value: number, least: number, most: number, subject: string): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalidArgument(subject, `must be a whole number from ${least} to ${most}`);
}
