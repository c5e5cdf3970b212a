import type { CallContext, Document } from '@vernal/core';
import type { Query } from './query.js';

/** A part may answer at once or later. */
export type Awaitable<T> = T | Promise<T>;

/** Before retrieval: makes a query that finds more. Source: Spring AI `QueryTransformer`. */
export interface QueryTransformer {
  transform(query: Query, context?: CallContext): Awaitable<Query>;
}

/** Before retrieval: makes several queries of one. Source: Spring AI `QueryExpander`. */
export interface QueryExpander {
  expand(query: Query, context?: CallContext): Awaitable<readonly Query[]>;
}

/** Finds documents for a query, best first. Source: Spring AI `DocumentRetriever`. */
export interface DocumentRetriever {
  retrieve(query: Query, context?: CallContext): Awaitable<readonly Document[]>;
}

/** What one retriever found for one query. */
export interface RetrievedDocuments {
  readonly query: Query;
  /** Place of the retriever in the list that the advisor was given, from 0. */
  readonly retriever: number;
  /** Best first. */
  readonly documents: readonly Document[];
}

/** Makes one list of several. Is given one entry for each query and retriever, in order; equal queries stay apart. Source: Spring AI `DocumentJoiner`. */
export interface DocumentJoiner {
  join(results: readonly RetrievedDocuments[], context?: CallContext): Awaitable<readonly Document[]>;
}

/** After retrieval: orders, drops, shortens or adds documents. Source: Spring AI `DocumentPostProcessor`. */
export interface DocumentPostProcessor {
  process(query: Query, documents: readonly Document[], context?: CallContext): Awaitable<readonly Document[]>;
}

/** Makes of a query and documents what the model is asked. Source: Spring AI `QueryAugmenter`. */
export interface QueryAugmenter {
  augment(query: Query, documents: readonly Document[], context?: CallContext): Awaitable<Query>;
}

/** An object, or the plain function that its one method is. */
export type QueryTransformerLike = QueryTransformer | QueryTransformer['transform'];
/** An object, or the plain function that its one method is. */
export type QueryExpanderLike = QueryExpander | QueryExpander['expand'];
/** An object, or the plain function that its one method is. */
export type DocumentRetrieverLike = DocumentRetriever | DocumentRetriever['retrieve'];
/** An object, or the plain function that its one method is. */
export type DocumentJoinerLike = DocumentJoiner | DocumentJoiner['join'];
/** An object, or the plain function that its one method is. */
export type DocumentPostProcessorLike = DocumentPostProcessor | DocumentPostProcessor['process'];
/** An object, or the plain function that its one method is. */
export type QueryAugmenterLike = QueryAugmenter | QueryAugmenter['augment'];
