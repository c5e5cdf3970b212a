import type { Document, DocumentEmbeddingModel, EmbeddingModel, JsonValue } from '@vernal/core';
import { abortError, invalidArgument } from '@vernal/core';
import { inTransaction, type SqliteConnection } from '@vernal/sql';
import type {
  DeleteResult,
  NormalFilter,
  ResolvedSearchRequest,
  StoreContext,
  VectorStoreCapabilities,
  VectorStoreDescription,
} from '@vernal/vector-store';
import { diversify, EVERY_OPERATOR, fusionDepth, ObservedVectorStore, vectorFault } from '@vernal/vector-store';
import { storeError } from './sqlite-error.js';
import { condition, fragment, sql } from './sqlite-filter.js';
import { storedVector, vectorBytes } from './sqlite-metric.js';
import { createSchema, validateSchema } from './sqlite-schema.js';
import { foundDocument, fusedHits, nearestHits, type SqliteHit, wordHits } from './sqlite-search.js';
import { type SqliteSettings, sqliteSettings } from './sqlite-settings.js';
import { storableJson, storableText } from './sqlite-text.js';
import type { SqliteVectorStoreOptions } from './sqlite-vector-store-options.js';

/**
 * Documents in a file or in memory of SQLite 3.38 or newer, found by sqlite-vec. Search is exact: the filter first, then the distance of
 * all that it lets through. Up to `maxBatch` documents are one transaction, or one step of the transaction that is open on the connection.
 *
 * @example
 * const database = new Database('documents.db');
 * sqliteVec.load(database);
 * const store = new SqliteVectorStore({ database, embeddingModel, initializeSchema: 'create' });
 * await store.add([document('Roses are red.', { lang: 'en' })]);
 */
export class SqliteVectorStore extends ObservedVectorStore {
  readonly name: string = 'SqliteVectorStore';
  readonly capabilities: VectorStoreCapabilities;
  /** What was handed in. */
  readonly client: SqliteConnection;
  readonly #settings: SqliteSettings;
  readonly #dimensions: number | undefined;
  readonly #model: EmbeddingModel | DocumentEmbeddingModel | undefined;

  /** @throws VernalError `invalid_argument` without a database, for names that SQLite cannot keep, and for settings out of range */
  constructor(options: SqliteVectorStoreOptions) {
    super(options);
    const { database, embeddingModel, dimensions } = options;
    if (typeof database?.prepare !== 'function' || typeof database.exec !== 'function')
      throw invalidArgument('database', 'must be a connection of better-sqlite3, libsql or node:sqlite');
    if (dimensions !== undefined && !(Number.isInteger(dimensions) && dimensions > 0))
      throw invalidArgument('dimensions', 'must be a whole number above 0');
    this.client = database;
    this.#settings = sqliteSettings(options);
    this.#dimensions = dimensions;
    this.#model = embeddingModel;
    this.capabilities = {
      filterOperators: EVERY_OPERATOR,
      deleteByFilter: true,
      deleteCount: true,
      modes: this.#settings.tokenizer === undefined ? ['vector'] : ['vector', 'keyword', 'hybrid'],
      mmr: true,
      media: false,
      metric: this.#settings.metric,
      maxBatch: this.#settings.maxBatch,
      consistency: 'strong',
    };
  }

  protected describe(): VectorStoreDescription {
    const { nameOfTable, nameOfSchema } = this.#settings;
    const dimensions = this.#dimensions;
    return {
      system: 'sqlite',
      collection: nameOfTable,
      namespace: nameOfSchema,
      fieldName: 'embedding',
      ...(dimensions === undefined ? undefined : { dimensions }),
    };
  }

  protected override async doInitialize(context: StoreContext): Promise<void> {
    const settings = this.#settings;
    if (settings.initializeSchema === 'none') return;
    const create = settings.initializeSchema === 'create';
    const dimensions = this.#dimensions ?? (await this.#model?.dimensions(context));
    if (create && dimensions === undefined)
      throw invalidArgument('dimensions', 'is needed to make the tables of a store without an embedding model');
    this.#run(create ? 'store_write' : 'store_read', context, () => {
      if (create && dimensions !== undefined) createSchema(this.client, settings, dimensions);
      validateSchema(this.client, settings, dimensions);
    });
  }

  protected async doAdd(documents: readonly Document[], context: StoreContext): Promise<void> {
    const vectors = await this.embed(documents, context);
    // A model inside the process may never let the event loop go round, and a large add is many parts.
    await new Promise((resolve) => setImmediate(resolve));
    this.#run('store_write', context, () => inTransaction(this.client, () => this.#write(documents, vectors)));
  }

  #write(documents: readonly Document[], vectors: readonly Float32Array[]): void {
    const { documents: table, vectors: vectorTable, metric } = this.#settings;
    const putDocument = this.client.prepare(
      `INSERT INTO ${table} (id, metadata, content) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET metadata = excluded.metadata, content = excluded.content`,
    );
    const putVector = this.client.prepare(
      `INSERT INTO ${vectorTable} ("row", embedding) SELECT "row", ? FROM ${table} WHERE id = ?
       ON CONFLICT ("row") DO UPDATE SET embedding = excluded.embedding`,
    );
    for (const [index, { id, metadata, text = '' }] of documents.entries()) {
      const vector = storedVector(metric, vectors[index] ?? new Float32Array(0));
      putDocument.run(storableText(id), storableJson(metadata as JsonValue), storableText(text));
      putVector.run(vectorBytes(vector), storableText(id));
    }
  }

  protected async doDelete(
    target: { readonly ids: readonly string[] } | { readonly filter: NormalFilter },
    context: StoreContext,
  ): Promise<DeleteResult> {
    const where =
      'ids' in target
        ? fragment('d.id IN (SELECT value FROM json_each(?))', storableJson([...target.ids]))
        : condition(target.filter);
    const { text, values } = sql`DELETE FROM ${fragment(this.#settings.documents)} AS d WHERE ${where}`;
    // A lock that is waited for inside a statement leaves libsql with a statement that is never over.
    const { changes } = this.#run('store_write', context, () =>
      inTransaction(this.client, () => this.client.prepare(text).run(...values)),
    );
    return { deleted: Number(changes) };
  }

  protected async doSimilaritySearch(request: ResolvedSearchRequest, context: StoreContext): Promise<Document[]> {
    const { metric } = this.#settings;
    const { topK, mmr, similarityThreshold } = request;
    const vector = request.mode === 'keyword' ? undefined : await this.queryVector(request, context);
    const hits = this.#run('store_read', context, () => this.#hits(request, vector)).filter(
      ({ score }) => similarityThreshold === 0 || score >= similarityThreshold,
    );
    return (mmr === undefined ? hits : diversify(hits, { topK, lambda: mmr.lambda, metric })).map(foundDocument);
  }

  /** `vector` is that of the query; a search by words has none. */
  #hits(request: ResolvedSearchRequest, vector: Float32Array | undefined): SqliteHit[] {
    const { query, filter, mode, topK, mmr } = request;
    const settings = this.#settings;
    const most = mmr?.fetchK ?? topK;
    const list = { limit: mode === 'hybrid' ? fusionDepth(most) : most, filter, withVectors: mmr !== undefined };
    const worded = mode === 'vector' ? [] : wordHits(this.client, settings, query, list);
    const directed = vector !== undefined && vectorFault(settings.metric, vector) === undefined;
    const near = directed ? nearestHits(this.client, settings, vector, list) : [];
    if (mode === 'hybrid') return fusedHits([near, worded], most);
    return mode === 'vector' ? near : worded;
  }

  #run<T>(code: 'store_read' | 'store_write', { signal }: Pick<StoreContext, 'signal'>, work: () => T): T {
    if (signal.aborted) throw abortError(signal);
    try {
      return work();
    } catch (error) {
      throw storeError(error, code);
    }
  }
}
