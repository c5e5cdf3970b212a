import type { Document } from '@vernal/core';
import type { DocumentJoiner, RetrievedDocuments } from './parts.js';
import { allFound, byRetriever, byScore, distinct, interleave } from './rank-lists.js';

/**
 * All documents, each once: of equal ids the one that was seen first is kept, in the order of queries and retrievers. Best score first,
 * those without a score last, ties as they were found. What retrievers have given is left as it is.
 *
 * Scores are compared only where they mean the same: among what one retriever found, for however many queries. A cosine of 0.8 and a BM25
 * of 12 say nothing about each other, so the lists of several retrievers are interleaved: the best of each, in the order of the
 * retrievers, then the second of each, and so on; a document that several have found stands at the best of its places. Scores of the result
 * then do not fall from first to last. `ReciprocalRankFusionJoiner` rewards what several retrievers agree on instead.
 *
 * Source: Spring AI `ConcatenationDocumentJoiner`.
 *
 * @example
 * ```ts
 * new ConcatenationDocumentJoiner().join([{ query, retriever: 0, documents: await retriever.retrieve(query) }]);
 * ```
 */
export class ConcatenationDocumentJoiner implements DocumentJoiner {
  join(results: readonly RetrievedDocuments[]): Document[] {
    const found = allFound(results);
    const ranked = byRetriever(results).map((own) => byScore(distinct(own).values()));
    // A place comes from the score that this retriever gave, whichever copy is kept.
    return interleave(ranked).map((document) => found.get(document.id) ?? document);
  }
}
