import { invalidArgument } from '@vernal/core';
import { sqlIdentifier } from '@vernal/sql';
import type { VectorMetric } from '@vernal/vector-store';
import { derivedName, literal } from './pg-identifier.js';
import type { PgVectorStoreOptions } from './pg-vector-store-options.js';

/** What ids are in the table. */
export type PgIdType = 'text' | 'uuid' | 'integer' | 'bigint' | 'serial' | 'bigserial';

/** Options, checked, with defaults, names quoted. */
export interface PgSettings {
  readonly schema: string;
  /** Schema and table. */
  readonly table: string;
  readonly tableName: string;
  readonly schemaName: string;
  /** Names of indexes as they are; quoted where they are used. */
  readonly index: string;
  readonly metadataIndex: string | undefined;
  readonly textIndex: string;
  /** A literal of type regconfig; undefined: no search by words. */
  readonly textSearch: string | undefined;
  readonly indexType: 'hnsw' | 'ivfflat' | 'none';
  readonly metric: VectorMetric;
  readonly vectorType: 'vector' | 'halfvec';
  /** Of the column when it is made. */
  readonly idType: PgIdType;
  /** Of a parameter. */
  readonly idCast: 'text' | 'uuid' | 'integer' | 'bigint';
  readonly initializeSchema: 'create' | 'validate' | 'none';
  readonly removeExistingTable: boolean;
  readonly hnsw: { readonly m: number; readonly efConstruction: number };
  readonly lists: number;
  readonly efSearch: number;
  readonly probes: number;
  readonly maxScanTuples: number;
}

const CASTS = {
  text: 'text',
  uuid: 'uuid',
  integer: 'integer',
  bigint: 'bigint',
  serial: 'integer',
  bigserial: 'bigint',
} as const;

export function pgSettings(options: PgVectorStoreOptions): PgSettings {
  const { schema = 'public', table = 'vector_store', idType = 'text', metric = 'cosine' } = options;
  const { indexType = 'hnsw', vectorType = 'vector', initializeSchema = 'none', removeExistingTable = false } = options;
  oneOf(idType, Object.keys(CASTS), 'idType');
  oneOf(metric, ['cosine', 'euclidean', 'dot'], 'metric');
  oneOf(indexType, ['hnsw', 'ivfflat', 'none'], 'indexType');
  oneOf(vectorType, ['vector', 'halfvec'], 'vectorType');
  oneOf(initializeSchema, ['create', 'validate', 'none'], 'initializeSchema');
  if (removeExistingTable && initializeSchema !== 'create')
    throw invalidArgument('removeExistingTable', "needs initializeSchema 'create': nothing would make the table again");
  const { metadataIndex = true, textSearchConfig } = options;
  const tableName = sqlIdentifier('postgres', table, 'table');
  const index = options.index ?? (table === 'vector_store' ? 'spring_ai_vector_index' : derivedName(table, '_index'));
  sqlIdentifier('postgres', index, 'index');
  return {
    schema: sqlIdentifier('postgres', schema, 'schema'),
    table: `${sqlIdentifier('postgres', schema, 'schema')}.${tableName}`,
    tableName: table,
    schemaName: schema,
    index,
    metadataIndex: metadataIndex ? derivedName(table, '_metadata_index') : undefined,
    textIndex: derivedName(table, '_text_index'),
    textSearch:
      textSearchConfig === undefined
        ? undefined
        : `${literal(sqlIdentifier('postgres', textSearchConfig, 'textSearchConfig'))}::regconfig`,
    indexType,
    metric,
    vectorType,
    idType,
    idCast: CASTS[idType],
    initializeSchema,
    removeExistingTable,
    hnsw: {
      m: within(options.hnsw?.m ?? 16, 2, 100, 'hnsw.m'),
      efConstruction: within(options.hnsw?.efConstruction ?? 64, 4, 1000, 'hnsw.efConstruction'),
    },
    lists: within(options.ivfflat?.lists ?? 100, 1, 32_768, 'ivfflat.lists'),
    efSearch: within(options.hnsw?.efSearch ?? 40, 1, 1000, 'hnsw.efSearch'),
    probes: within(options.ivfflat?.probes ?? 10, 1, 32_768, 'ivfflat.probes'),
    maxScanTuples: within(options.maxScanTuples ?? 1_000_000, 1, 2_147_483_647, 'maxScanTuples'),
  };
}

function oneOf(value: string, allowed: readonly string[], subject: string): void {
  if (!allowed.includes(value)) throw invalidArgument(subject, `must be one of ${allowed.join(', ')}`);
}

function within(value: number, least: number, most: number, subject: string): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalidArgument(subject, `must be a whole number from ${least} to ${most}`);
}
