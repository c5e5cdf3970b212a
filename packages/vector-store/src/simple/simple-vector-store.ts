import type {
  CallContext,
  Document,
  DocumentEmbeddingModel,
  EmbeddingModel,
  Logger,
  Resource,
  WritableResource,
} from '@vernal/core';
import { BatchError, invalidArgument, safeLogger, VernalError } from '@vernal/core';
import { EVERY_OPERATOR } from '../filter/filter-operators.js';
import type { NormalFilter } from '../filter/normalize-filter.js';
import type {
  ObservedVectorStoreOptions,
  StoreContext,
  VectorStoreDescription,
} from '../store/observed-vector-store.js';
import { ObservedVectorStore } from '../store/observed-vector-store.js';
import type { ResolvedSearchRequest } from '../store/search-request.js';
import type { DeleteResult } from '../store/vector-store.js';
import type { VectorMetric, VectorStoreCapabilities } from '../store/vector-store-capabilities.js';
import { readContent } from './read-content.js';
import { searchContent } from './search-content.js';
import { StoreContent } from './store-content.js';
import { storedDocument } from './stored-document.js';
import { storedVector, vectorFault } from './vector-score.js';
import { writeContent } from './write-content.js';

/** Needs the model that embeds documents and queries. */
export interface SimpleVectorStoreOptions extends ObservedVectorStoreOptions {
  readonly embeddingModel: EmbeddingModel | DocumentEmbeddingModel;
  /** Default 'cosine'. */
  readonly metric?: VectorMetric | undefined;
}

/**
 * A store in this process: exact search over vectors in one block of memory, scored by WebAssembly SIMD, with keyword and hybrid search,
 * and a file to keep it in. Good for some hundred thousand documents; needs about 4 bytes a dimension beside the documents.
 *
 * Mode 'keyword' scores by BM25, s / (1 + s); 'hybrid' by reciprocal rank fusion of both lists, 1 being first in both; a threshold applies
 * to that score. Vectors that are all zeros have no direction: under cosine they are refused, and a query of zeros finds nothing.
 *
 * @example
 * ```ts
 * const store = new SimpleVectorStore({ embeddingModel });
 * await store.add([document('Roses are red.', { lang: 'en' })]);
 * const [best] = await store.similaritySearch({ query: 'flowers', topK: 1, filterExpression: "lang == 'en'" });
 * ```
 * Source: Spring AI `SimpleVectorStore`.
 */
export class SimpleVectorStore extends ObservedVectorStore {
  readonly name: string = 'SimpleVectorStore';
  readonly capabilities: VectorStoreCapabilities;
  readonly #model: EmbeddingModel | DocumentEmbeddingModel;
  readonly #metric: VectorMetric;
  readonly #logger: Logger;
  #content = new StoreContent();

  /** @throws VernalError `invalid_argument` without an embedding model or for an unknown metric */
  constructor(options: SimpleVectorStoreOptions) {
    super(options);
    const { embeddingModel, metric = 'cosine' } = options;
    if (typeof embeddingModel !== 'object' || embeddingModel === null) {
      throw invalidArgument('embeddingModel', 'is missing: a store embeds what it is given and what it is asked');
    }
    if (metric !== 'cosine' && metric !== 'dot' && metric !== 'euclidean') {
      throw invalidArgument('metric', "must be 'cosine', 'dot' or 'euclidean'");
    }
    this.#model = embeddingModel;
    this.#metric = metric;
    this.#logger = safeLogger(options.logger);
    this.capabilities = {
      filterOperators: EVERY_OPERATOR,
      deleteByFilter: true,
      deleteCount: true,
      modes: ['vector', 'keyword', 'hybrid'],
      mmr: true,
      media: 'embedDocuments' in embeddingModel,
      metric,
    };
  }

  /** Documents in the store. */
  get size(): number {
    return this.#content.size;
  }

  /**
   * A snapshot of now, in the compact versioned format: documents as JSON, vectors as float32, a checksum. Written as a stream; adding and
   * deleting meanwhile is fine and is not in the file.
   *
   * @throws VernalError what the resource throws
   */
  async save(target: WritableResource, context?: CallContext): Promise<void> {
    this.requireOpen();
    const snapshot = this.#content.snapshot();
    try {
      const { provider, defaultOptions: { model } = {} } = this.#model;
      const about = { metric: this.#metric, provider, ...(model === undefined ? undefined : { model }) };
      await target.write(writeContent(snapshot, about, context?.signal), context);
    } finally {
      snapshot.release();
    }
  }

  /**
   * Replaces the content, at once, when all of it was read and checked; reads Spring AI's JSON too. On any error the content is unchanged.
   *
   * A file that was written with another embedding model is refused where both models say their names (`defaultOptions.model`), and where
   * they differ in dimensions; one of another provider's is read, with a warning.
   *
   * @throws VernalError `store_read` for a file that is damaged, of another kind, or of another model
   */
  async load(source: Resource, context?: CallContext): Promise<void> {
    this.requireOpen();
    const dimensions = this.#content.dimensions ?? (await this.#modelDimensions(context));
    const { provider: ownProvider, defaultOptions } = this.#model;
    const expected = { metric: this.#metric, dimensions, model: defaultOptions?.model, provider: ownProvider };
    const { content, provider } = await readContent(source, expected, context);
    this.requireOpen();
    if (provider !== undefined && provider !== ownProvider) {
      this.#logger.warn(
        'The file was written with the embedding model of another provider: unless both are the same one, scores mean nothing',
        {
          written: provider,
          present: ownProvider,
        },
      );
    }
    this.#content = content;
  }

  protected describe(): VectorStoreDescription {
    const { dimensions } = this.#content;
    return { system: 'simple', collection: 'in-memory', ...(dimensions === undefined ? undefined : { dimensions }) };
  }

  protected async doAdd(documents: readonly Document[], context: StoreContext): Promise<void> {
    const stored = documents.map(storedDocument);
    const vectors = await this.embed(stored, context);
    // The caller has been told already that nothing was stored.
    if (context.signal.aborted) return;
    const given = vectors[0]?.length ?? 0;
    const { dimensions = given } = this.#content;
    if (dimensions !== given) throw this.#otherDimensions('store_write', given, dimensions);
    this.#refuseFaulty(documents, vectors);
    this.#content.put(
      stored,
      vectors.map((vector) => storedVector(this.#metric, vector)),
    );
  }

  protected async doDelete(
    target: { readonly ids: readonly string[] } | { readonly filter: NormalFilter },
    _context: StoreContext,
  ): Promise<DeleteResult> {
    const deleted = 'ids' in target ? this.#content.removeIds(target.ids) : this.#content.removeMatching(target.filter);
    return { deleted };
  }

  protected async doSimilaritySearch(request: ResolvedSearchRequest, context: StoreContext): Promise<Document[]> {
    const vector = request.mode === 'keyword' ? undefined : await this.#checkedQuery(request, context);
    return searchContent(this.#content, this.#metric, request, vector).map(({ document, score, distance }) => ({
      ...document,
      metadata: { ...document.metadata, distance },
      score,
    }));
  }

  async #checkedQuery(request: ResolvedSearchRequest, context: StoreContext): Promise<Float32Array> {
    const vector = await this.queryVector(request, context);
    const { dimensions = vector.length } = this.#content;
    if (dimensions !== vector.length) throw this.#otherDimensions('store_read', vector.length, dimensions);
    if (vectorFault(this.#metric, vector) === 'large') {
      throw invalidArgument('vector', 'is longer than 1e18 and would leave float32: scale it down');
    }
    return vector;
  }

  #refuseFaulty(documents: readonly Document[], vectors: readonly Float32Array[]): void {
    const ids = documents.map(({ id }) => id);
    const faulty = ids.filter(
      (_id, index) => vectorFault(this.#metric, vectors[index] ?? new Float32Array(0)) !== undefined,
    );
    if (faulty.length === 0) return;
    const what =
      this.#metric === 'cosine' ? 'all zeros, which no query is near to' : 'longer than 1e18, which leaves float32';
    throw new BatchError(
      `The embedding model gave vectors that are ${what}; nothing of the batch was stored: leave out the documents that details.faulty names`,
      { code: 'embedding', subject: 'embeddingModel', failedIds: ids, details: { faulty } },
    );
  }

  #otherDimensions(code: 'store_read' | 'store_write', given: number, held: number): VernalError {
    return new VernalError(
      `The store holds vectors of ${held} dimensions and was given one of ${given}: use the model it was filled with, or ingest the documents again into a new store`,
      { code, subject: 'dimensions', details: { given, held } },
    );
  }

  async #modelDimensions(context: CallContext | undefined): Promise<number | undefined> {
    try {
      return await this.#model.dimensions(context);
    } catch (error) {
      if (context?.signal?.aborted) throw error;
      // A model that cannot be asked now is no reason not to read a file: the first search finds out.
      return undefined;
    }
  }
}
