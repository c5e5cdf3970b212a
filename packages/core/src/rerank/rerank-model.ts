import type { CallContext } from '../context/call-context.js';
import type { Document } from '../documents/document.js';

export interface RerankOptions {
  readonly model?: string | undefined;
  /** Default: all. */
  readonly topN?: number | undefined;
}

export interface RerankModel {
  readonly provider: string;
  /** Best first; `score` is the model's relevance, 0 to 1 where the model has a scale. */
  rerank(
    query: string,
    documents: readonly Document[],
    options?: RerankOptions,
    context?: CallContext,
  ): Promise<Document[]>;
}
