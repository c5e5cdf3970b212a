import type { ChatModel, Document } from '@vernal/core';
import { LocalEmbeddingModel, LocalRerankModel } from '@vernal/model-local';
import {
  type DocumentJoiner,
  type DocumentPostProcessor,
  type DocumentRetriever,
  HybridDocumentRetriever,
  KeywordDocumentRetriever,
  MultiQueryExpander,
  type QueryExpander,
  type QueryTransformer,
  ReciprocalRankFusionJoiner,
  RewriteQueryTransformer,
  rerank,
  VectorStoreDocumentRetriever,
} from '@vernal/rag';
import { SimpleVectorStore } from '@vernal/vector-store';

/** What a pipeline is made of. `RetrievalAugmentationAdvisor` takes the same: hand it the one that is best on your documents. */
export interface PipelineParts {
  readonly queryTransformers?: readonly QueryTransformer[];
  readonly queryExpander?: QueryExpander;
  readonly documentRetriever: DocumentRetriever;
  readonly documentJoiner?: DocumentJoiner;
  readonly documentPostProcessors?: readonly DocumentPostProcessor[];
}

/** Models for the parts that need one. */
export interface PartModels {
  readonly rewrite: ChatModel;
  readonly variants: ChatModel;
}

/** Documents that come out, as many as are looked at by the metrics. */
const FOUND = 10;
/** Documents that a reranker is given. */
const CANDIDATES = 30;

/** The pipelines by name, the plainest first; without models, those that need none. */
export async function pipelines(
  documents: readonly Document[],
  models?: PartModels,
): Promise<ReadonlyMap<string, PipelineParts>> {
  const vectorStore = new SimpleVectorStore({ embeddingModel: new LocalEmbeddingModel() });
  await vectorStore.add(documents);
  const byVector = new VectorStoreDocumentRetriever({ vectorStore, topK: FOUND });
  const hybrid = (topK: number): DocumentRetriever => new HybridDocumentRetriever({ vectorStore, topK });
  const documentJoiner = new ReciprocalRankFusionJoiner();
  const reranked = rerank(new LocalRerankModel(), { topN: FOUND });

  const plain: [string, PipelineParts][] = [
    ['naive: vectors', { documentRetriever: byVector }],
    ['keywords: BM25', { documentRetriever: new KeywordDocumentRetriever({ documents, topK: FOUND }) }],
    ['hybrid', { documentRetriever: hybrid(FOUND) }],
    ['hybrid + rerank', { documentRetriever: hybrid(CANDIDATES), documentPostProcessors: [reranked] }],
  ];
  if (models === undefined) return new Map(plain);

  const queryTransformers = [new RewriteQueryTransformer({ model: models.rewrite })];
  const queryExpander = new MultiQueryExpander({ model: models.variants });
  return new Map([
    ...plain,
    ['rewrite', { queryTransformers, documentRetriever: byVector }],
    ['multi-query', { queryExpander, documentRetriever: byVector, documentJoiner }],
    [
      'all together',
      {
        queryTransformers,
        queryExpander,
        documentRetriever: hybrid(CANDIDATES),
        documentJoiner,
        documentPostProcessors: [reranked],
      },
    ],
  ]);
}
