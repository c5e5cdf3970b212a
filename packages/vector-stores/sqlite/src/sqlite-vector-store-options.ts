import type { SqliteConnection } from '@vernal/sql';
import type { ObservedVectorStoreOptions, VectorMetric } from '@vernal/vector-store';

/** Needs `database`, and the model that embeds documents and queries. */
export interface SqliteVectorStoreOptions extends ObservedVectorStoreOptions {
  /** A connection of `better-sqlite3`, `libsql` or `node:sqlite` with sqlite-vec loaded. Yours: the store never closes it. */
  readonly database: SqliteConnection;
  /** Name of an attached database. Default 'main'. Names are quoted, whatever they hold. */
  readonly schema?: string | undefined;
  /** Default 'vector_store'. The vectors are in a table of that name and '_vectors', the words in one with '_words'. */
  readonly table?: string | undefined;
  /**
   * Default 'none': the tables are there. 'create' makes those that are missing, then validates; 'validate' looks whether the tables have the
   * columns and dimensions. Once, before the first operation, or by `initialize()`.
   */
  readonly initializeSchema?: 'create' | 'validate' | 'none' | undefined;
  /** With 'create': drops the tables first, and all that is in them. Default false. */
  readonly removeExistingTable?: boolean | undefined;
  /** Default 'cosine'. */
  readonly metric?: VectorMetric | undefined;
  /** Of the vectors, when the tables are made. Default: the model's. */
  readonly dimensions?: number | undefined;
  /**
   * Searches by keyword and hybrid, through FTS5. Default false. A text is a tokenizer of FTS5: 'porter unicode61' for English stems,
   * 'trigram' for scripts without spaces (words of three characters and more). True is 'unicode61'.
   */
  readonly keywordSearch?: boolean | string | undefined;
  /** Documents a transaction, all or nothing; the event loop waits that long. Default 1,000. */
  readonly maxBatch?: number | undefined;
}
