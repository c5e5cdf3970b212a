import type { PgLite, PgPool } from '@vernal/sql';
import type { ObservedVectorStoreOptions, VectorMetric } from '@vernal/vector-store';
import type { PgIdType } from './pg-settings.js';

/** Needs `pool`, and the model that embeds documents and queries. Defaults are those of Spring AI where it has them. */
export interface PgVectorStoreOptions extends ObservedVectorStoreOptions {
  /** A `Pool` of `pg`, or a `PGlite` with its vector extension. Yours: the store never closes it. */
  readonly pool: PgPool | PgLite;
  /** Default 'public'. Names are quoted, whatever they hold. */
  readonly schema?: string | undefined;
  /** Default 'vector_store'. */
  readonly table?: string | undefined;
  /** Name of the vector index. Default 'spring_ai_vector_index'; of a table of another name, that name and '_index'. */
  readonly index?: string | undefined;
  /**
   * Default 'none': the table is there. 'create' makes extension, schema, table and indexes that are missing, then validates; 'validate'
   * looks whether the table has the columns and dimensions. Once, before the first operation, or by `initialize()`.
   */
  readonly initializeSchema?: 'create' | 'validate' | 'none' | undefined;
  /** With 'create': drops the table first, and all that is in it. Default false. */
  readonly removeExistingTable?: boolean | undefined;
  /** Default 'text': ids of any kind. With 'uuid' and the numbers other ids are refused. */
  readonly idType?: PgIdType | undefined;
  /** Default 'cosine'. */
  readonly metric?: VectorMetric | undefined;
  /** Default 'vector', 4 bytes a dimension; 'halfvec' takes 2, and indexes of up to 4,000 dimensions in place of 2,000. */
  readonly vectorType?: 'vector' | 'halfvec' | undefined;
  /** Of the column, when it is made. Default: the model's. */
  readonly dimensions?: number | undefined;
  /** Default 'hnsw'. 'none' makes none and is exact, whatever index is there. */
  readonly indexType?: 'hnsw' | 'ivfflat' | 'none' | undefined;
  /** Defaults m 16, efConstruction 64; efSearch 40, at least `topK`. */
  readonly hnsw?:
    | {
        readonly m?: number | undefined;
        readonly efConstruction?: number | undefined;
        readonly efSearch?: number | undefined;
      }
    | undefined;
  /** Defaults lists 100, probes 10. */
  readonly ivfflat?: { readonly lists?: number | undefined; readonly probes?: number | undefined } | undefined;
  /** With 'create': an index that finds documents by equality and lists of metadata; slows adding a little. Default true. */
  readonly metadataIndex?: boolean | undefined;
  /**
   * A text search configuration of the server, such as 'simple' or 'english': declares the modes 'keyword' and 'hybrid', and with 'create'
   * makes their index. The first 200,000 characters of a text are searched. Default none.
   */
  readonly textSearchConfig?: string | undefined;
  /** How many rows an index scan looks at before a filter that lets little through gives up. Default 1,000,000. */
  readonly maxScanTuples?: number | undefined;
  /** Documents a transaction. Default 10,000. */
  readonly maxBatch?: number | undefined;
}
