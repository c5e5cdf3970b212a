import { QA_RETRIEVED_DOCUMENTS, QuestionAnswerAdvisor } from '@vernal/advisors-vector-store';
import type { AdvisorContext, AdvisorSource } from '@vernal/client-chat';
import { contextValue, type Document, type Usage } from '@vernal/core';
import type { SimpleVectorStore } from '@vernal/vector-store';

/** How a client gets at documents. */
export interface Retrieval {
  readonly advisor: AdvisorSource;
  /** What an answer was given to rest on, [1] being the first; undefined as long as nobody has searched. */
  documentsIn(context: AdvisorContext): readonly Document[] | undefined;
  /** Tokens that were spent beside the answers since this was called last. */
  takeUsage(): Usage;
}

/** Passages that a model is shown: enough for an answer that stands in several places; few enough for a small model. */
export const PASSAGES = 8;

/** One search by meaning and by words. */
export function simpleRetrieval(vectorStore: SimpleVectorStore): Retrieval {
  return {
    advisor: new QuestionAnswerAdvisor({ vectorStore, searchRequest: { topK: PASSAGES, mode: 'hybrid' } }),
    documentsIn: (context) => contextValue(context, QA_RETRIEVED_DOCUMENTS),
    takeUsage: () => ({}),
  };
}
