import type {
  BatchingStrategy,
  CallContext,
  Document,
  DocumentEmbeddingModel,
  Documents,
  EmbeddingModel,
  Logger,
  ObservationRegistry,
} from '@vernal/core';
import type { NormalFilter } from '../filter/normalize-filter.js';
import type { ResolvedSearchRequest, SearchRequest } from './search-request.js';
import type { DeleteResult, DeleteTarget, VectorStore } from './vector-store.js';
import type { VectorStoreCapabilities } from './vector-store-capabilities.js';

/** For telemetry. */
export interface VectorStoreDescription {
  /** OpenTelemetry db.system.name: 'postgresql', 'redis', … */
  readonly system: string;
  readonly collection?: string;
  readonly namespace?: string;
  readonly dimensions?: number;
  readonly fieldName?: string;
}

export interface ObservedVectorStoreOptions {
  /** Needed unless the engine embeds by itself. */
  readonly embeddingModel?: EmbeddingModel | DocumentEmbeddingModel | undefined;
  /** Default: the model's limits. */
  readonly batchingStrategy?: BatchingStrategy | undefined;
  readonly observationRegistry?: ObservationRegistry | undefined;
  readonly logger?: Logger | undefined;
}

/** `signal` is always there; aborting it must reach the driver. */
export interface StoreContext {
  readonly signal: AbortSignal;
}

/** The template of an adapter: checks, parses, batches, observes, links signals. An adapter writes the three `do` methods. */
export declare abstract class ObservedVectorStore implements VectorStore, AsyncDisposable {
  constructor(options: ObservedVectorStoreOptions);
  abstract readonly name: string;
  abstract readonly capabilities: VectorStoreCapabilities;
  add(documents: readonly Document[], context?: CallContext): Promise<void>;
  write(documents: Documents, context?: CallContext): Promise<void>;
  delete(target: DeleteTarget, context?: CallContext): Promise<DeleteResult>;
  similaritySearch(request: string | SearchRequest, context?: CallContext): Promise<Document[]>;
  /** Calls `doClose` once; later calls of anything else are `invalid_state`. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
  /** Default: nothing to give back. */
  protected doClose(): Promise<void>;
  protected abstract describe(): VectorStoreDescription;
  /** Not empty, at most `maxBatch`. */
  protected abstract doAdd(documents: readonly Document[], context: StoreContext): Promise<void>;
  protected abstract doDelete(
    target: { readonly ids: readonly string[] } | { readonly filter: NormalFilter },
    context: StoreContext,
  ): Promise<DeleteResult>;
  protected abstract doSimilaritySearch(request: ResolvedSearchRequest, context: StoreContext): Promise<Document[]>;
  /** `embedDocuments` with this store's model and strategy. */
  protected embed(documents: readonly Document[], context: StoreContext): Promise<Float32Array[]>;
  /** The request's vector, or its query embedded. */
  protected queryVector(request: ResolvedSearchRequest, context: StoreContext): Promise<Float32Array>;
}
