import type {
  CallContext,
  Document,
  DocumentEmbeddingModel,
  EmbeddingModel,
  Resource,
  WritableResource,
} from '@vernal/core';
import type { NormalFilter } from '../filter/normalize-filter.js';
import type { ObservedVectorStoreOptions, StoreContext, VectorStoreDescription } from './observed-vector-store.js';
import { ObservedVectorStore } from './observed-vector-store.js';
import type { ResolvedSearchRequest } from './search-request.js';
import type { DeleteResult } from './vector-store.js';
import type { VectorMetric, VectorStoreCapabilities } from './vector-store-capabilities.js';

export interface SimpleVectorStoreOptions extends ObservedVectorStoreOptions {
  readonly embeddingModel: EmbeddingModel | DocumentEmbeddingModel;
  /** Default 'cosine'. */
  readonly metric?: VectorMetric | undefined;
}

export declare class SimpleVectorStore extends ObservedVectorStore {
  constructor(options: SimpleVectorStoreOptions);
  readonly name: string;
  readonly capabilities: VectorStoreCapabilities;
  readonly size: number;
  /** A snapshot of now, in the compact versioned format. */
  save(target: WritableResource, context?: CallContext): Promise<void>;
  /** Replaces the content; reads Spring AI's JSON too. Another dimension: `store_read`, content unchanged. */
  load(source: Resource, context?: CallContext): Promise<void>;
  protected describe(): VectorStoreDescription;
  protected doAdd(documents: readonly Document[], context: StoreContext): Promise<void>;
  protected doDelete(
    target: { readonly ids: readonly string[] } | { readonly filter: NormalFilter },
    context: StoreContext,
  ): Promise<DeleteResult>;
  protected doSimilaritySearch(request: ResolvedSearchRequest, context: StoreContext): Promise<Document[]>;
}
