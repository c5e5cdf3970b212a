import type { CallContext, Document, ObservationRegistry } from '@vernal/core';
import { abortError, startSafely, untilAborted } from '@vernal/core';
import type { Query, VectorStoreDocumentRetriever } from '@vernal/rag';

/**
 * One retrieval as an observation of the kind 'rag', as those of `RetrievalAugmentationAdvisor` are. Ends with the signal, whether or not
 * the store heeds it; an abort is never taken for a failure of the store.
 */
export async function observedRetrieval(
  retriever: VectorStoreDocumentRetriever,
  query: Query,
  context: CallContext,
  registry: ObservationRegistry,
): Promise<readonly Document[]> {
  const { signal } = context;
  const retrieve = async (inside: CallContext): Promise<readonly Document[]> =>
    // Stores of untyped callers give null for nothing.
    (await untilAborted(Promise.resolve(retriever.retrieve(query, inside)), signal)) ?? [];
  if (!registry.enabled) return retrieve(context);
  const { content } = registry;
  const observation = startSafely(registry, () => ({
    kind: 'rag',
    name: 'VectorStoreDocumentRetriever',
    parent: context.observation,
    data: { step: 'retrieve', index: 0, ...(content && { query: query.text }) },
  }));
  return observation.run(async () => {
    try {
      const documents = await retrieve({ ...context, observation: observation.observation });
      observation.add({ count: documents.length, ...(content && { documents }) });
      return documents;
    } catch (error) {
      if (signal?.aborted === true) {
        observation.event('cancelled');
        throw abortError(signal);
      }
      observation.error(error);
      throw error;
    } finally {
      observation.stop();
    }
  });
}
