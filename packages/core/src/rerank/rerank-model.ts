import type { CallContext } from '../context/call-context.js';
import type { Document } from '../documents/document.js';

/** Both may be left out. */
export interface RerankOptions {
  /** Default: the model's own. */
  readonly model?: string | undefined;
  /** How many come back. Default: all. */
  readonly topN?: number | undefined;
}

/**
 * Orders documents by how well they answer a query: slower and better than the distance of vectors, so for what a search has found
 * already. No Spring AI class; the shape follows the rerank APIs of Cohere, Jina and Voyage.
 *
 * @example
 * const best = await reranker.rerank('How do I prune roses?', await store.similaritySearch({ query, topK: 50 }), { topN: 5 });
 */
export interface RerankModel {
  /** Lower case, stable: 'cohere'. The key of telemetry. */
  readonly provider: string;
  /**
   * Best first; `score` is the model's relevance, 0 to 1 where the model has a scale. Everything else of a document stays as it is. No
   * documents: [] without a request.
   */
  rerank(
    query: string,
    documents: readonly Document[],
    options?: RerankOptions,
    context?: CallContext,
  ): Promise<Document[]>;
}
