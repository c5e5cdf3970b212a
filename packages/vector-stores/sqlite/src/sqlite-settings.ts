import { invalidArgument } from '@vernal/core';
import { sqlIdentifier } from '@vernal/sql';
import type { VectorMetric } from '@vernal/vector-store';
import type { SqliteVectorStoreOptions } from './sqlite-vector-store-options.js';

/** Options, checked, with defaults. What begins with `name` is bare, the rest is quoted for SQL. */
export interface SqliteSettings {
  readonly nameOfSchema: string;
  readonly nameOfTable: string;
  readonly nameOfVectors: string;
  readonly nameOfWords: string;
  readonly schema: string;
  /** Schema and table. */
  readonly documents: string;
  readonly vectors: string;
  readonly words: string;
  readonly metric: VectorMetric;
  readonly initializeSchema: 'create' | 'validate' | 'none';
  readonly removeExistingTable: boolean;
  /** Of FTS5; undefined without keyword search. */
  readonly tokenizer: string | undefined;
  readonly maxBatch: number;
}

export function sqliteSettings(options: SqliteVectorStoreOptions): SqliteSettings {
  const { schema = 'main', table = 'vector_store', metric = 'cosine', maxBatch = 1000 } = options;
  const { initializeSchema = 'none', removeExistingTable = false, keywordSearch = false } = options;
  oneOf(metric, ['cosine', 'euclidean', 'dot'], 'metric');
  oneOf(initializeSchema, ['create', 'validate', 'none'], 'initializeSchema');
  if (removeExistingTable && initializeSchema !== 'create')
    throw invalidArgument('removeExistingTable', "needs initializeSchema 'create': nothing would make the table again");
  if (!(Number.isInteger(maxBatch) && maxBatch > 0))
    throw invalidArgument('maxBatch', 'must be a whole number above 0');
  const [nameOfVectors, nameOfWords] = [`${table}_vectors`, `${table}_words`];
  const within = (name: string): string =>
    `${sqlIdentifier('sqlite', schema, 'schema')}.${sqlIdentifier('sqlite', name, 'table')}`;
  return {
    nameOfSchema: schema,
    nameOfTable: table,
    nameOfVectors,
    nameOfWords,
    schema: sqlIdentifier('sqlite', schema, 'schema'),
    documents: within(table),
    vectors: within(nameOfVectors),
    words: within(nameOfWords),
    metric,
    initializeSchema,
    removeExistingTable,
    tokenizer: tokenizerOf(keywordSearch),
    maxBatch,
  };
}

function tokenizerOf(keywordSearch: boolean | string): string | undefined {
  if (typeof keywordSearch === 'boolean') return keywordSearch ? 'unicode61' : undefined;
  if (keywordSearch.trim() === '' || keywordSearch.includes('\0'))
    throw invalidArgument('keywordSearch', "must be true, false, or a tokenizer of FTS5 such as 'trigram'");
  return keywordSearch;
}

function oneOf(value: string, allowed: readonly string[], subject: string): void {
  if (!allowed.includes(value)) throw invalidArgument(subject, `must be one of ${allowed.join(', ')}`);
}
