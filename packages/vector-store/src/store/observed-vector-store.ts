import type {
  BatchingStrategy,
  CallContext,
  Document,
  DocumentEmbeddingModel,
  Documents,
  EmbeddingModel,
  Logger,
  ObservationRegistry,
  SafeObservation,
  VectorStoreObservationData,
} from '@vernal/core';
import { embedDocuments, noopObservationRegistry, startSafely, VernalError } from '@vernal/core';
import type { NormalFilter } from '../filter/normalize-filter.js';
import { printFilter } from '../filter/print-filter.js';
import type { AddProgress } from './add-in-parts.js';
import { addInParts, explainAdd } from './add-in-parts.js';
import { checkDocuments } from './checked-documents.js';
import { defaultBatching } from './default-batching.js';
import { checkDeleteTarget } from './delete-target.js';
import { checkEmbedded, checkLength, checkQueryVector } from './embedded-vectors.js';
import type { ResolvedSearchRequest, SearchRequest } from './search-request.js';
import { resolveRequestOf } from './search-request.js';
import { SharedStart } from './shared-start.js';
import { withLinkedSignal } from './store-signal.js';
import type { DeleteResult, DeleteTarget, VectorStore } from './vector-store.js';
import type { VectorStoreCapabilities } from './vector-store-capabilities.js';
import { inBatches } from './write-batches.js';

/** For telemetry. */
export interface VectorStoreDescription {
  /** OpenTelemetry db.system.name: 'postgresql', 'redis', … */
  readonly system: string;
  readonly collection?: string;
  readonly namespace?: string;
  readonly dimensions?: number;
  readonly fieldName?: string;
}

/** What every store built on `ObservedVectorStore` takes; adapters add their own. */
export interface ObservedVectorStoreOptions {
  /** Needed unless the engine embeds by itself. */
  readonly embeddingModel?: EmbeddingModel | DocumentEmbeddingModel | undefined;
  /** Default: the model's limits, by exact token counts when it limits tokens. */
  readonly batchingStrategy?: BatchingStrategy | undefined;
  /** Default: observes nothing. */
  readonly observationRegistry?: ObservationRegistry | undefined;
  /** For an adapter's warnings. Default: silent. */
  readonly logger?: Logger | undefined;
}

/** `signal` is always there; aborting it must reach the driver. `observation` is the running one, a parent for calls further down. */
export interface StoreContext extends CallContext {
  readonly signal: AbortSignal;
}

type Operation = VectorStoreObservationData['operation'];

/**
 * The template of an adapter: checks, parses, batches, observes, links signals, starts once. An adapter writes `describe` and the three
 * `do` methods, and can rely on what reaches them: documents with distinct ids and JSON for metadata, a filter without NOT that holds only operators of its
 * capabilities, a request with defaults filled in. What has to be there before, such as a table, is made in `doInitialize`.
 *
 * Source: Spring AI `AbstractObservationVectorStore`.
 */
export abstract class ObservedVectorStore implements VectorStore, AsyncDisposable {
  abstract readonly name: string;
  abstract readonly capabilities: VectorStoreCapabilities;
  readonly #embeddingModel: EmbeddingModel | DocumentEmbeddingModel | undefined;
  readonly #registry: ObservationRegistry;
  readonly #running = new Set<Promise<unknown>>();
  readonly #start = new SharedStart((signal) => this.#tracked(this.doInitialize?.({ signal }) ?? Promise.resolve()));
  #batching: Promise<BatchingStrategy | undefined> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: ObservedVectorStoreOptions) {
    this.#embeddingModel = options.embeddingModel;
    this.#registry = options.observationRegistry ?? noopObservationRegistry;
    if (options.batchingStrategy !== undefined) this.#batching = Promise.resolve(options.batchingStrategy);
  }

  /**
   * What the first operation would do first, now. Once: later calls wait for the same one; after a failure the next one tries again, and
   * when nobody waits any longer it is aborted.
   */
  async initialize(context?: CallContext): Promise<void> {
    this.requireOpen();
    await this.#linked(context, async () => {});
  }

  /**
   * Upsert by id; ids are distinct within one call. Larger adds than `capabilities.maxBatch` are cut, each part all or nothing.
   *
   * @throws VernalError `invalid_argument` and `unsupported_capability` before anything is embedded. A `BatchError` names every document
   * that is not stored; any other error means that nothing was.
   */
  async add(documents: readonly Document[], context?: CallContext): Promise<void> {
    this.requireOpen();
    const checked = checkDocuments(documents, this.capabilities, this.name);
    if (checked.length === 0) return;
    const size = this.capabilities.maxBatch ?? checked.length;
    const progress: AddProgress = { stored: 0, writing: 0 };
    try {
      await this.#observed('add', context, { count: checked.length }, (store) =>
        addInParts(checked, size, progress, (part) => this.doAdd(part, store)),
      );
    } catch (error) {
      throw explainAdd(error, checked, progress);
    }
  }

  /** `add` for any iterable, in batches as they come, so that memory stays bounded. The source is closed when a batch fails. */
  async write(documents: Documents, context?: CallContext): Promise<void> {
    this.requireOpen();
    await inBatches(documents, this.capabilities.maxBatch, context?.signal, (batch) => this.add(batch, context));
  }

  /**
   * @throws VernalError `invalid_argument` for a bare string and a blank filter, `filter_parse`, `filter_invalid`, and
   * `unsupported_capability` where the store cannot delete by filter
   */
  async delete(target: DeleteTarget, context?: CallContext): Promise<DeleteResult> {
    this.requireOpen();
    const checked = checkDeleteTarget(target, this.capabilities, this.name);
    if ('ids' in checked && checked.ids.length === 0) return { deleted: 0 };
    const data = 'ids' in checked ? { count: checked.ids.length } : this.#content({ filter: checked.filter });
    return this.#observed('delete', context, data, async (store, observation) => {
      const result = await this.doDelete(checked, store);
      if (result.deleted !== undefined) observation?.add({ count: result.deleted });
      return result;
    });
  }

  /** @throws VernalError `invalid_argument`, `filter_parse`, `filter_invalid`, `unsupported_capability`, `embedding` */
  async similaritySearch(request: string | SearchRequest, context?: CallContext): Promise<Document[]> {
    this.requireOpen();
    const resolved = resolveRequestOf(request, this.capabilities, this.name);
    const data = {
      topK: resolved.topK,
      similarityThreshold: resolved.similarityThreshold,
      ...this.#content(resolved),
    };
    return this.#observed('query', context, data, async (store, observation) => {
      const found = await this.doSimilaritySearch(resolved, store);
      observation?.add({ count: found.length });
      return found;
    });
  }

  /** Waits for what is running, then calls `doClose`, once; later calls of anything else are `invalid_state`. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Optional: runs once, before the first of the other `do` methods. `context` ends with the last call that waits for it. */
  protected doInitialize?(context: StoreContext): Promise<void>;

  /** Default: nothing to give back. */
  protected async doClose(): Promise<void> {}

  protected abstract describe(): VectorStoreDescription;

  /** Not empty, at most `maxBatch`. */
  protected abstract doAdd(documents: readonly Document[], context: StoreContext): Promise<void>;

  /** `ids` are distinct and not empty; there may be more than `maxBatch`. */
  protected abstract doDelete(
    target: { readonly ids: readonly string[] } | { readonly filter: NormalFilter },
    context: StoreContext,
  ): Promise<DeleteResult>;

  protected abstract doSimilaritySearch(request: ResolvedSearchRequest, context: StoreContext): Promise<Document[]>;

  /**
   * `embedDocuments` with this store's model and strategy; vectors are finite, of one length, and such that the metric can compare them:
   * no zeros under cosine, nothing longer than 1e18 under the others.
   *
   * @throws VernalError an `EmbeddingError` or `BatchError` that names the documents
   */
  protected async embed(documents: readonly Document[], context: StoreContext): Promise<Float32Array[]> {
    const model = this.#model();
    this.#batching ??= defaultBatching(model);
    const batchingStrategy = await this.#batching;
    const vectors = await embedDocuments(model, documents, { ...context, batchingStrategy });
    checkEmbedded(documents, vectors, this.capabilities.metric);
    return vectors;
  }

  /** The request's vector, or its query embedded; finite. May be all zeros: see `vectorFault`. */
  protected async queryVector(request: ResolvedSearchRequest, context: StoreContext): Promise<Float32Array> {
    const vector = request.vector ?? (await this.#embedQuery(request, context));
    checkLength(vector, this.capabilities.metric);
    return vector;
  }

  async #embedQuery(request: ResolvedSearchRequest, context: StoreContext): Promise<Float32Array> {
    const model = this.#model();
    return checkQueryVector(
      'embed' in model
        ? await model.embed([request.query], undefined, context)
        : await model.embedDocuments([{ id: 'query', text: request.query, metadata: {} }], undefined, context),
    );
  }

  #model(): EmbeddingModel | DocumentEmbeddingModel {
    if (this.#embeddingModel !== undefined) return this.#embeddingModel;
    throw new VernalError(
      `${this.name} has no embedding model: give it one as 'embeddingModel', or search with a vector`,
      {
        code: 'invalid_state',
        subject: 'embeddingModel',
      },
    );
  }

  /** For what an adapter adds to the four operations. @throws VernalError `invalid_state` once `close` was called */
  protected requireOpen(): void {
    if (this.#closed === undefined) return;
    throw new VernalError(`${this.name} is closed: make a new store`, { code: 'invalid_state', subject: this.name });
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.doClose();
  }

  /** Query and filter are contents: they go out only where contents are wanted. */
  #content(request: { readonly query?: string; readonly filter?: NormalFilter }): Partial<VectorStoreObservationData> {
    if (!this.#registry.enabled || !this.#registry.content) return {};
    return {
      ...(request.query === undefined ? undefined : { query: request.query }),
      ...(request.filter === undefined ? undefined : { filter: printFilter(request.filter) }),
    };
  }

  #observed<T>(
    operation: Operation,
    context: CallContext | undefined,
    data: Partial<VectorStoreObservationData>,
    work: (store: StoreContext, observation: SafeObservation | undefined) => Promise<T>,
  ): Promise<T> {
    if (!this.#registry.enabled) return this.#linked(context, (store) => work(store, undefined));
    const { system, collection, namespace, dimensions, fieldName } = this.describe();
    const facts = { system, operation, collection, namespace, metric: this.capabilities.metric, dimensions, fieldName };
    const observation = startSafely(this.#registry, () => ({
      kind: 'vector_store',
      name: this.name,
      parent: context?.observation,
      data: Object.fromEntries(Object.entries({ ...facts, ...data }).filter(([, value]) => value !== undefined)),
    }));
    return observation.run(async () => {
      try {
        return await this.#linked({ ...context, observation: observation.observation }, (store) =>
          work(store, observation),
        );
      } catch (error) {
        observation.error(error);
        throw error;
      } finally {
        observation.stop();
      }
    });
  }

  #linked<T>(context: CallContext | undefined, work: (store: StoreContext) => Promise<T>): Promise<T> {
    return withLinkedSignal(context?.signal, (signal) => {
      const store = { signal, ...(context?.observation && { observation: context.observation }) };
      const start = this.doInitialize === undefined ? undefined : this.#start.wait(signal);
      return this.#tracked(start === undefined ? work(store) : start.then(() => work(store)));
    });
  }

  /** `close` waits for it. */
  #tracked<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running);
    const forget = (): void => {
      this.#running.delete(running);
    };
    running.then(forget, forget);
    return running;
  }
}
