import type { Document, DocumentEmbeddingModel, EmbeddingModel } from '@vernal/core';
import { abortError, BatchError, invalidArgument } from '@vernal/core';
import { type PgLite, type PgPool, type PgQueryable, type PgRun, withConnection } from '@vernal/sql';
import type {
  DeleteResult,
  NormalFilter,
  ResolvedSearchRequest,
  StoreContext,
  VectorStoreCapabilities,
  VectorStoreDescription,
} from '@vernal/vector-store';
import { diversify, EVERY_OPERATOR, fusionDepth, ObservedVectorStore, vectorFault } from '@vernal/vector-store';
import { pgError } from './pg-error.js';
import { PARAMETER } from './pg-filter.js';
import { idParameters, possibleIds } from './pg-ids.js';
import { insertStatements } from './pg-insert.js';
import { createIndexes, createTable, refuseUnindexable, scanSettings } from './pg-schema.js';
import { validateSchema } from './pg-schema-check.js';
import {
  foundDocument,
  fusedHits,
  nearestHits,
  nearestStatement,
  type PgHit,
  wordHits,
  wordsStatement,
} from './pg-search.js';
import { type PgSettings, pgSettings } from './pg-settings.js';
import { condition, statement } from './pg-statement.js';
import type { PgVectorStoreOptions } from './pg-vector-store-options.js';

/**
 * Documents in a table of PostgreSQL, found by pgvector 0.7 or later (0.8 for filters that let little through an index). An add of up to
 * `maxBatch` documents is one transaction, all or nothing. Filters are conditions on the metadata, whose keys and values are parameters.
 * With `textSearchConfig` it searches by words too: mode 'keyword' scores by `ts_rank` between 0 and 1, 'hybrid' by reciprocal rank fusion
 * of both lists, 1 being first in both.
 *
 * @example
 * ```ts
 * const store = new PgVectorStore({ pool: new Pool({ connectionString }), embeddingModel, initializeSchema: 'create' });
 * await store.add([document('Roses are red.', { lang: 'en' })]);
 * ```
 * Source: Spring AI `PgVectorStore`.
 */
export class PgVectorStore extends ObservedVectorStore {
  readonly name: string = 'PgVectorStore';
  readonly capabilities: VectorStoreCapabilities;
  /** What was handed in. */
  readonly client: PgPool | PgLite;
  readonly #settings: PgSettings;
  readonly #dimensions: number | undefined;
  readonly #model: EmbeddingModel | DocumentEmbeddingModel | undefined;
  /** Whether index scans can go on; undefined until it is known. */
  #goesOn: boolean | undefined;

  /** @throws VernalError `invalid_argument` without a pool, for names that PostgreSQL cannot keep, and for settings out of range */
  constructor(options: PgVectorStoreOptions) {
    super(options);
    const { pool, embeddingModel, dimensions, maxBatch = 10_000 } = options;
    if (typeof pool !== 'object' || pool === null)
      throw invalidArgument('pool', 'is missing: give a Pool of pg, or a PGlite');
    if (dimensions !== undefined && !(Number.isInteger(dimensions) && dimensions > 0))
      throw invalidArgument('dimensions', 'must be a whole number above 0');
    if (!(Number.isInteger(maxBatch) && maxBatch > 0))
      throw invalidArgument('maxBatch', 'must be a whole number above 0');
    this.client = pool;
    this.#settings = pgSettings(options);
    this.#dimensions = dimensions;
    this.#model = embeddingModel;
    this.capabilities = {
      filterOperators: EVERY_OPERATOR,
      deleteByFilter: true,
      deleteCount: true,
      modes: this.#settings.textSearch === undefined ? ['vector'] : ['vector', 'keyword', 'hybrid'],
      mmr: true,
      media: false,
      metric: this.#settings.metric,
      maxBatch,
      consistency: 'strong',
    };
  }

  protected describe(): VectorStoreDescription {
    const { tableName, schemaName } = this.#settings;
    const dimensions = this.#dimensions;
    return {
      system: 'postgresql',
      collection: tableName,
      namespace: schemaName,
      fieldName: 'embedding',
      ...(dimensions === undefined ? undefined : { dimensions }),
    };
  }

  protected override async doInitialize(context: StoreContext): Promise<void> {
    const settings = this.#settings;
    if (settings.initializeSchema === 'none') return;
    const dimensions = this.#dimensions ?? (await this.#model?.dimensions(context));
    if (settings.initializeSchema === 'validate') {
      await this.#run('store_read', { ...context, begin: '' }, (on) => validateSchema(on, settings, dimensions));
      return;
    }
    if (dimensions === undefined)
      throw invalidArgument('dimensions', 'is needed to make the table of a store without an embedding model');
    refuseUnindexable(settings, dimensions);
    await this.#run('store_write', { ...context, begin: '' }, async (connection) => {
      await createTable(connection, settings, dimensions);
      const metadataType = await validateSchema(connection, settings, dimensions);
      // No index takes json, which a table of Spring AI has.
      await createIndexes(connection, metadataType === 'json' ? { ...settings, metadataIndex: undefined } : settings);
    });
  }

  protected async doAdd(documents: readonly Document[], context: StoreContext): Promise<void> {
    const ids = idParameters(
      documents.map(({ id }) => id),
      this.#settings,
    );
    const vectors = await this.embed(documents, context);
    if (this.#settings.vectorType === 'halfvec') refuseTiny(documents, vectors);
    await this.#run('store_write', { ...context, begin: '' }, async (connection) => {
      for (const { text, values } of insertStatements(this.#settings, ids, documents, vectors)) {
        context.signal.throwIfAborted();
        await connection.query(text, values);
      }
    });
  }

  protected async doDelete(
    target: { readonly ids: readonly string[] } | { readonly filter: NormalFilter },
    context: StoreContext,
  ): Promise<DeleteResult> {
    const { table, idCast } = this.#settings;
    const where =
      'ids' in target
        ? { text: `id = ANY (${PARAMETER}::text[]::${idCast}[])`, params: [possibleIds(target.ids, this.#settings)] }
        : condition(target.filter);
    const { text, values } = statement(
      `WITH gone AS (DELETE FROM ${table} WHERE ${where.text} RETURNING 1) SELECT count(*)::int AS deleted FROM gone`,
      where.params,
    );
    const { rows } = await this.#run('store_write', context, (connection) => connection.query(text, values));
    return { deleted: Number((rows[0] as { deleted: number }).deleted) };
  }

  protected async doSimilaritySearch(request: ResolvedSearchRequest, context: StoreContext): Promise<Document[]> {
    const { metric } = this.#settings;
    const { topK, mmr, similarityThreshold } = request;
    const vector = request.mode === 'keyword' ? undefined : await this.queryVector(request, context);
    const hits = (await this.#hits(request, vector, context)).filter(
      ({ score }) => similarityThreshold === 0 || score >= similarityThreshold,
    );
    return (mmr === undefined ? hits : diversify(hits, { topK, lambda: mmr.lambda, metric })).map(foundDocument);
  }

  /** `vector` is that of the query; a search by words has none. */
  async #hits(
    { query, filter, mode, topK, mmr }: ResolvedSearchRequest,
    vector: Float32Array | undefined,
    context: StoreContext,
  ): Promise<PgHit[]> {
    const settings = this.#settings;
    const most = mmr?.fetchK ?? topK;
    const limit = mode === 'hybrid' ? fusionDepth(most) : most;
    const list = { limit, filter, withVectors: mmr !== undefined };
    const byVector =
      vector === undefined || vectorFault(settings.metric, vector) !== undefined
        ? undefined
        : nearestStatement(settings, vector, list);
    const byWords =
      mode === 'vector' || settings.textSearch === undefined
        ? undefined
        : wordsStatement(settings, settings.textSearch, query, list);
    // One statement needs no transaction, unless scans are to be set up for it.
    const begin =
      byVector === undefined || settings.indexType === 'none' ? undefined : await this.#scan(limit, context);
    const [near = [], worded = []] = await this.#run('store_read', { ...context, begin }, async (connection) => [
      byVector && nearestHits((await connection.query(byVector.text, byVector.values)).rows, settings.metric),
      byWords && wordHits((await connection.query(byWords.text, byWords.values)).rows),
    ]);
    if (mode === 'hybrid') return fusedHits([near, worded], most);
    return mode === 'vector' ? near : worded;
  }

  async #scan(limit: number, context: StoreContext): Promise<string> {
    this.#goesOn ??= await this.#run('store_read', context, async (connection) => {
      const { rows } = await connection.query(
        "SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'",
      );
      const [major = 0, minor = 0] = (rows[0] as { version: string } | undefined)?.version.split('.').map(Number) ?? [];
      return major > 0 || minor >= 8;
    });
    return scanSettings(this.#settings, limit, this.#goesOn);
  }

  async #run<T>(
    code: 'store_read' | 'store_write',
    run: PgRun,
    work: (connection: PgQueryable) => Promise<T>,
  ): Promise<T> {
    try {
      return await withConnection(this.client, run, work);
    } catch (error) {
      throw run.signal.aborted ? abortError(run.signal) : pgError(error, code);
    }
  }
}

/** Below half of the least number of 16 bits. */
const HALF_ZERO = 2 ** -25;

/** Of 16 bits they are zeros, whose distance to anything is NaN under cosine. */
function refuseTiny(documents: readonly Document[], vectors: readonly Float32Array[]): void {
  const ids = documents.map(({ id }) => id);
  const faulty = ids.filter((_, index) => {
    const vector = vectors[index];
    return vector?.some((value) => value !== 0) && vector.every((value) => Math.abs(value) <= HALF_ZERO);
  });
  if (faulty.length === 0) return;
  throw new BatchError(
    "The embedding model gave vectors that are zeros in the 16 bits of halfvec; nothing of the batch was written: use vectorType 'vector' for what details.faulty names",
    { code: 'embedding', subject: 'embeddingModel', failedIds: ids, details: { faulty } },
  );
}
