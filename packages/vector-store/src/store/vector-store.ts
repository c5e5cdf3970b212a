import type { CallContext, Document, DocumentWriter } from '@vernal/core';
import type { FilterExpression } from '../filter/filter-expression.js';
import type { SearchRequest } from './search-request.js';
import type { VectorStoreCapabilities } from './vector-store-capabilities.js';

/** Read-only. Documents come best first with `score` set and `metadata.distance` the engine's raw distance. */
export interface VectorStoreRetriever {
  /** A string is the query, everything else by default. */
  similaritySearch(request: string | SearchRequest, context?: CallContext): Promise<Document[]>;
}

/** What is to go. A bare string is neither: it could be an id or a filter. */
export type DeleteTarget = readonly string[] | { readonly filter: string | FilterExpression };

/** How many are gone. */
export interface DeleteResult {
  /** Absent when the engine does not say. */
  readonly deleted?: number;
}

/**
 * Documents that are found by meaning. `ObservedVectorStore` is the part that adapters share; the suite
 * `describeVectorStore` of `@vernal/testing` checks one. Source: `VectorStore` of spring-ai-vector-store.
 */
export interface VectorStore extends VectorStoreRetriever, DocumentWriter {
  readonly name: string;
  readonly capabilities: VectorStoreCapabilities;
  /** Upsert by id. Texts come back as they went in; a batch lands whole or a `BatchError` names what did not. [] is nothing to do. */
  add(documents: readonly Document[], context?: CallContext): Promise<void>;
  /** Unknown ids are no error. [] deletes nothing; a blank filter is `invalid_argument`. */
  delete(target: DeleteTarget, context?: CallContext): Promise<DeleteResult>;
  /** Makes or checks what the store needs of its engine, now and not with the first operation. Once; after a failure the next call tries again. */
  initialize?(context?: CallContext): Promise<void>;
  /** Gives back what the store itself opened; a client that was handed in stays open. Twice is once. */
  close?(): Promise<void>;
}
