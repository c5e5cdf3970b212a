import type { Document } from '@vernal/core';
import type { RetrievedDocuments } from './parts.js';

/** Each id once, the first of them. */
export function distinct(documents: Iterable<Document>): Map<string, Document> {
  const byId = new Map<string, Document>();
  for (const document of documents) if (!byId.has(document.id)) byId.set(document.id, document);
  return byId;
}

/** Everything that was found, each id once, in the order of queries and retrievers. */
export function allFound(results: readonly RetrievedDocuments[]): Map<string, Document> {
  return distinct(results.flatMap(({ documents }) => documents));
}

/** Undefined where there is none, and for what is no number. */
export function scoreOf({ score }: Document): number | undefined {
  return typeof score === 'number' && Number.isFinite(score) ? score : undefined;
}

/** A score of the search would not fit among those of the model. */
export function rescored({ score: _, ...document }: Document, score: number | undefined): Document {
  return score === undefined ? document : { ...document, score };
}

/** Best first, those without a score last; ties as they were. */
export function byScore(documents: Iterable<Document>): Document[] {
  const rankOf = (document: Document): number => scoreOf(document) ?? Number.NEGATIVE_INFINITY;
  return Array.from(documents).sort((a, b) => {
    const [left, right] = [rankOf(a), rankOf(b)];
    // Not their difference: minus infinity less itself is no number.
    return left === right ? 0 : right > left ? 1 : -1;
  });
}

/** What each retriever found, for all its queries one after the other; in the order of the retrievers. */
export function byRetriever(results: readonly RetrievedDocuments[]): Document[][] {
  const found = new Map<number, Document[]>();
  for (const { retriever, documents } of results) {
    const own = found.get(retriever);
    if (own === undefined) found.set(retriever, [...documents]);
    else for (const document of documents) own.push(document);
  }
  return Array.from(found)
    .sort(([a], [b]) => a - b)
    .map(([, own]) => own);
}

/** Sums of the same numbers in another order differ behind it. */
const SUM_DIGITS = 1e13;

/**
 * What was found with the scores of `scores`, each id once, best first. Of copies that of the first retriever is kept, and of its copies
 * the one that scored best; ties are in the same order. So it does not matter which query comes first.
 */
export function fused(results: readonly RetrievedDocuments[], scores: ReadonlyMap<string, number>): Document[] {
  const copies = distinct(byRetriever(results).flatMap(byScore)).values();
  const scored = Array.from(copies, (document) => {
    const score = Math.round((scores.get(document.id) ?? 0) * SUM_DIGITS) / SUM_DIGITS;
    return { ...document, score };
  });
  return byScore(scored);
}

/** The first of each list, then the second of each, and so on; each id once. */
export function interleave(lists: readonly (readonly Document[])[]): Document[] {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  const inTurn: Document[] = [];
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const document = list[rank];
      if (document !== undefined) inTurn.push(document);
    }
  }
  return Array.from(distinct(inTurn).values());
}
