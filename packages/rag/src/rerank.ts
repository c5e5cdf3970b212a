import type { Document, RerankModel } from '@vernal/core';
import { invalidArgument, untilAborted } from '@vernal/core';
import { checkedList } from './checked-list.js';
import type { DocumentPostProcessor } from './parts.js';
import { rescored, scoreOf } from './rank-lists.js';
import type { DocumentCut } from './top-documents.js';
import { checkedCut, cutDocuments } from './top-documents.js';

/**
 * Orders documents by how well they answer the query, as a model sees it: retrieve some fifty, rerank, keep five. Documents get the model's
 * score, and nothing else of what it gives back; what scores below `minScore` goes, what the model did not score stays at the end.
 *
 * @throws VernalError `invalid_argument` for what is no model and for numbers out of range
 * @example
 * ```ts
 * documentPostProcessors: [rerank(new ChatRerankModel({ model }), { topN: 5, minScore: 0.3 })];
 * ```
 */
export function rerank(model: RerankModel, options: DocumentCut = {}): DocumentPostProcessor {
  if (typeof model?.rerank !== 'function') throw invalidArgument('model', 'must be a RerankModel: it has no rerank()');
  const cut = checkedCut(options);
  const asked = cut.topN === undefined ? {} : { topN: cut.topN };
  return {
    process: async ({ text }, documents, context) => {
      if (documents.length === 0) return [];
      const ranking = (async () => model.rerank(text, documents, asked, context))();
      const ranked = checkedList(await untilAborted(ranking, context?.signal), 'model');
      return cutDocuments(inOrderOf(ranked, documents), cut);
    },
  };
}

/** The documents themselves, with order and scores of `ranked`: whatever else a model gives back, it puts no text into a source. */
function inOrderOf(ranked: readonly Document[], documents: readonly Document[]): Document[] {
  const places = new Map<string, number[]>();
  for (const [at, { id }] of documents.entries()) {
    const same = places.get(id);
    if (same === undefined) places.set(id, [at]);
    else same.push(at);
  }
  const rest = new Set(documents.keys());
  const first = ranked.flatMap((one) => {
    const at = places.get(one.id)?.shift();
    const own = at === undefined ? undefined : documents[at];
    if (at === undefined || own === undefined) return [];
    rest.delete(at);
    return [rescored(own, scoreOf(one))];
  });
  return [...first, ...documents.filter((_, at) => rest.has(at)).map((own) => rescored(own, undefined))];
}
