import type {
  CallContext,
  Document,
  DocumentEmbeddingModel,
  EmbeddingModel,
  Logger,
  Resource,
  WritableResource,
} from '@vernal/core';
import { invalidArgument, safeLogger, throwIfAborted } from '@vernal/core';
import { EVERY_OPERATOR } from '../filter/filter-operators.js';
import type { NormalFilter } from '../filter/normalize-filter.js';
import type {
  ObservedVectorStoreOptions,
  StoreContext,
  VectorStoreDescription,
} from '../store/observed-vector-store.js';
import { ObservedVectorStore } from '../store/observed-vector-store.js';
import { requireDimensions } from '../store/require-dimensions.js';
import type { ResolvedSearchRequest } from '../store/search-request.js';
import type { DeleteResult } from '../store/vector-store.js';
import type { VectorMetric, VectorStoreCapabilities } from '../store/vector-store-capabilities.js';
import type { HnswOptions, HnswSettings } from './hnsw-options.js';
import { hnswSettings } from './hnsw-options.js';
import { IndexBuilder } from './index-builder.js';
import { readContent } from './read-content.js';
import { searchContent } from './search-content.js';
import { StoreContent } from './store-content.js';
import { storedDocument } from './stored-document.js';
import { storedVector } from './vector-score.js';
import { sumOf } from './vector-search.js';
import { writeContent } from './write-content.js';

/** Needs the model that embeds documents and queries. */
export interface SimpleVectorStoreOptions extends ObservedVectorStoreOptions {
  readonly embeddingModel: EmbeddingModel | DocumentEmbeddingModel;
  /** Default 'cosine'. */
  readonly metric?: VectorMetric | undefined;
  /**
   * Keeps each vector once more in one byte a dimension, a quarter more memory, and reads these first: searches without a filter find the
   * same, in a third of the time where there are tens of thousands of documents. Needs WebAssembly. Default false.
   */
  readonly int8Scan?: boolean | undefined;
  /** Approximate search, for stores above a size. Default: all searches are exact. */
  readonly hnsw?: HnswOptions | undefined;
}

/**
 * A store in this process: exact search over vectors in one block of memory, scored by WebAssembly SIMD, with keyword and hybrid search,
 * and a file to keep it in. Good for some hundred thousand documents; needs about 4 bytes a dimension beside the documents. Larger stores
 * can be searched approximately (`hnsw`).
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
  readonly #int8Scan: boolean;
  readonly #hnsw: HnswSettings | undefined;
  readonly #builder: IndexBuilder | undefined;
  #content = new StoreContent();

  /** @throws VernalError `invalid_argument` without an embedding model, for an unknown metric, and for `hnsw` out of range */
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
    this.#int8Scan = options.int8Scan ?? false;
    this.#hnsw = options.hnsw === undefined ? undefined : hnswSettings(options.hnsw);
    this.#builder =
      this.#hnsw &&
      new IndexBuilder(
        () => this.#content,
        (error) =>
          this.#logger.warn('The index could not be built any further: searches are exact from now on', {
            error: error instanceof Error ? error.name : typeof error,
          }),
      );
    this.#takeContent(this.#content);
    this.capabilities = {
      filterOperators: EVERY_OPERATOR,
      deleteByFilter: true,
      deleteCount: true,
      modes: ['vector', 'keyword', 'hybrid'],
      mmr: true,
      media: 'embedDocuments' in embeddingModel,
      metric,
      consistency: 'strong',
    };
  }

  /** Documents in the store. */
  get size(): number {
    return this.#content.size;
  }

  /**
   * Waits until the index of `hnsw` knows all documents. Nothing has to wait for it: what it does not know yet is searched exactly. Without
   * `hnsw`, and for small stores, there is nothing to wait for. Ends also when the store is closed.
   *
   * @throws VernalError `aborted`, `timeout`; the index goes on being built
   */
  async indexed(context?: CallContext): Promise<void> {
    this.requireOpen();
    throwIfAborted(context?.signal);
    await this.#builder?.finished(context?.signal);
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
    this.#takeContent(content);
  }

  protected override async doClose(): Promise<void> {
    this.#builder?.stop();
  }

  #takeContent(content: StoreContent): void {
    this.#content = content;
    if (this.#int8Scan) content.encode();
    if (this.#hnsw !== undefined) content.indexBy(this.#hnsw, sumOf(this.#metric));
    this.#builder?.wake();
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
    requireDimensions('store_write', vectors[0]?.length ?? 0, this.#content.dimensions);
    this.#content.put(
      stored,
      vectors.map((vector) => storedVector(this.#metric, vector)),
    );
    this.#builder?.wake();
  }

  protected async doDelete(
    target: { readonly ids: readonly string[] } | { readonly filter: NormalFilter },
    _context: StoreContext,
  ): Promise<DeleteResult> {
    const deleted = 'ids' in target ? this.#content.removeIds(target.ids) : this.#content.removeMatching(target.filter);
    this.#builder?.wake();
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
    requireDimensions('store_read', vector.length, this.#content.dimensions);
    return vector;
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
