export type { ChatRerankModelOptions } from './chat-rerank-model.js';
export { ChatRerankModel } from './chat-rerank-model.js';
export type { Citation, CitationSpan, CitedAnswer } from './citations.js';
export { citations } from './citations.js';
export type { CompressOptions } from './compress.js';
export { compress } from './compress.js';
export { CompressionQueryTransformer } from './compression-query-transformer.js';
export { ConcatenationDocumentJoiner } from './concatenation-document-joiner.js';
export type { ContextualQueryAugmenterOptions } from './contextual-query-augmenter.js';
export { ContextualQueryAugmenter } from './contextual-query-augmenter.js';
export type { DedupeOptions } from './dedupe.js';
export { dedupe } from './dedupe.js';
export type { FilterSource } from './filter-source.js';
export type { HybridDocumentRetrieverOptions } from './hybrid-document-retriever.js';
export { HybridDocumentRetriever } from './hybrid-document-retriever.js';
export type { KeywordDocumentRetrieverOptions } from './keyword-document-retriever.js';
export { KeywordDocumentRetriever } from './keyword-document-retriever.js';
export type { LlmEntityPartOptions } from './llm-entity-part.js';
export type { LlmPartOptions } from './llm-part.js';
export { lostInTheMiddle } from './lost-in-the-middle.js';
export type { MultiQueryExpanderOptions } from './multi-query-expander.js';
export { MultiQueryExpander } from './multi-query-expander.js';
export type { ChunkLookup, ChunkRequest, NeighboursOptions } from './neighbours.js';
export { neighbours } from './neighbours.js';
export type {
  Awaitable,
  DocumentJoiner,
  DocumentJoinerLike,
  DocumentPostProcessor,
  DocumentPostProcessorLike,
  DocumentRetriever,
  DocumentRetrieverLike,
  QueryAugmenter,
  QueryAugmenterLike,
  QueryExpander,
  QueryExpanderLike,
  QueryTransformer,
  QueryTransformerLike,
  RetrievedDocuments,
} from './parts.js';
export type { Query, QueryInput } from './query.js';
export { query, withQuery } from './query.js';
export { RAG_DEGRADATIONS, RAG_DOCUMENT_CONTEXT, VECTOR_STORE_FILTER_EXPRESSION } from './rag-context-keys.js';
export type { RagDegradation, RagStep } from './rag-degradation.js';
export type { ReciprocalRankFusionJoinerOptions } from './reciprocal-rank-fusion-joiner.js';
export { ReciprocalRankFusionJoiner } from './reciprocal-rank-fusion-joiner.js';
export type { RelativeScoreFusionJoinerOptions } from './relative-score-fusion-joiner.js';
export { RelativeScoreFusionJoiner } from './relative-score-fusion-joiner.js';
export { documentsWithText, renderDocuments } from './render-documents.js';
export { rerank } from './rerank.js';
export type { RetrievalAugmentationAdvisorOptions } from './retrieval-augmentation-advisor.js';
export { RetrievalAugmentationAdvisor } from './retrieval-augmentation-advisor.js';
export type { RetrievalFilters } from './retrieval-filter.js';
export { RewriteQueryTransformer } from './rewrite-query-transformer.js';
export type { RetrievalRoute, RouteFunction, RoutingDocumentRetrieverOptions } from './routing-document-retriever.js';
export { RoutingDocumentRetriever } from './routing-document-retriever.js';
export type { OmittedDocuments, TokenBudgetOptions } from './token-budget.js';
export { tokenBudget } from './token-budget.js';
export type { DocumentCut } from './top-documents.js';
export { topDocuments } from './top-documents.js';
export { TranslationQueryTransformer } from './translation-query-transformer.js';
export type { VectorStoreDocumentRetrieverOptions } from './vector-store-document-retriever.js';
export { VectorStoreDocumentRetriever } from './vector-store-document-retriever.js';
