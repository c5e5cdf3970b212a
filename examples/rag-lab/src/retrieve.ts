import type { CallContext, Document } from '@vernal/core';
import { ConcatenationDocumentJoiner, query, type RetrievedDocuments } from '@vernal/rag';
import type { PipelineParts } from './pipelines.js';

/** The steps of `RetrievalAugmentationAdvisor` up to the documents, without asking a model for an answer. What fails is an error. */
export async function retrieve(
  parts: PipelineParts,
  question: string,
  context: CallContext,
): Promise<readonly Document[]> {
  const { queryTransformers = [], queryExpander, documentRetriever, documentPostProcessors = [] } = parts;
  const { documentJoiner = new ConcatenationDocumentJoiner() } = parts;
  const asked = query(question);
  let searched = asked;
  for (const transformer of queryTransformers) searched = await transformer.transform(searched, context);
  const queries = (await queryExpander?.expand(searched, context)) ?? [searched];
  const results = await Promise.all(
    queries.map(
      async (one): Promise<RetrievedDocuments> => ({
        query: one,
        retriever: 0,
        documents: await documentRetriever.retrieve(one, context),
      }),
    ),
  );
  let documents = await documentJoiner.join(results, context);
  for (const processor of documentPostProcessors) documents = await processor.process(asked, documents, context);
  return documents;
}
