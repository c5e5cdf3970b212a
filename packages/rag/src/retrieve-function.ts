import { invalidArgument } from '@vernal/core';
import type { DocumentRetriever, DocumentRetrieverLike } from './parts.js';

/** Stores are handed in as retrievers. */
export const OF_A_STORE = '; new VectorStoreDocumentRetriever({ vectorStore }) makes one of a store';

/** A retriever as a function that never throws at once. Throws `invalid_argument` for what is none. */
export function retrieveFunction(
  retriever: DocumentRetrieverLike,
  subject: string,
): (
  ...asked: Parameters<DocumentRetriever['retrieve']>
) => Promise<Awaited<ReturnType<DocumentRetriever['retrieve']>>> {
  if (typeof retriever === 'function') return async (query, context) => retriever(query, context);
  if (typeof retriever?.retrieve === 'function') return async (query, context) => retriever.retrieve(query, context);
  throw invalidArgument(subject, `must be a function, or an object with retrieve()${OF_A_STORE}`);
}
