import type { ContextKey, Document } from '@vernal/core';
import { contextKey } from '@vernal/core';
import type { FilterExpression } from '@vernal/vector-store';
import type { RagDegradation } from './rag-degradation.js';

/**
 * The documents that the question was put with, in the order in which the augmenter was given them: in the context and in the metadata of
 * the response, of a stream in its last chunk. [] when nothing was found.
 */
export const RAG_DOCUMENT_CONTEXT: ContextKey<readonly Document[]> = /* @__PURE__ */ contextKey('rag_document_context');

/** What failed on the way and was done without, in the context and in the metadata of the response. [] when nothing did. */
export const RAG_DEGRADATIONS: ContextKey<readonly RagDegradation[]> = /* @__PURE__ */ contextKey('rag_degradations');

/**
 * A request's own filter for the retrievers here, text or tree, in the query's context. It replaces the retriever's `filter`,
 * never its `requiredFilter`. Blank text is no filter of its own.
 */
export const VECTOR_STORE_FILTER_EXPRESSION: ContextKey<string | FilterExpression> = /* @__PURE__ */ contextKey(
  'vector_store_filter_expression',
);
