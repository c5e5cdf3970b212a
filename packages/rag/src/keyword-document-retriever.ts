import type { CallContext, Document, Documents, DocumentWriter } from '@vernal/core';
import { invalidArgument, throwIfAborted } from '@vernal/core';
import type { Bm25Options } from '@vernal/vector-store';
import { Bm25Index, compileFilter } from '@vernal/vector-store';
import type { DocumentRetriever } from './parts.js';
import type { Query } from './query.js';
import type { RetrievalFilters } from './retrieval-filter.js';
import { RetrievalFilter } from './retrieval-filter.js';

/** All may be left out. */
export interface KeywordDocumentRetrieverOptions extends RetrievalFilters, Bm25Options {
  /** To begin with; `write` brings more. */
  readonly documents?: Iterable<Document> | undefined;
  /** Documents a query, at most. Default 4. */
  readonly topK?: number | undefined;
}

/**
 * Finds documents by their words (BM25), without a model and without a store: for names, numbers and codes that embeddings blur. Holds its
 * documents in memory; texts are cut into words as `wordsOf` says unless `words` cuts them. Scores are BM25 brought into 0 to 1 by
 * s / (1 + s), as in keyword search of the stores. Filters are those of `VectorStoreDocumentRetriever`, by the rules of `evaluateFilter`.
 *
 * @example
 * ```ts
 * const byWords = new KeywordDocumentRetriever({ documents, topK: 10, requiredFilter: "lang == 'en'" });
 * const found = await byWords.retrieve(query('error E-4711'));
 * ```
 */
export class KeywordDocumentRetriever implements DocumentRetriever, DocumentWriter {
  readonly #index: Bm25Index;
  readonly #documents = new Map<string, Document>();
  readonly #topK: number;
  readonly #filter: RetrievalFilter;

  /** @throws VernalError `invalid_argument` for bad options, `filter_parse` and `filter_invalid` for filters that are none */
  constructor(options: KeywordDocumentRetrieverOptions = {}) {
    const { documents = [], topK = 4 } = options;
    if (!Number.isSafeInteger(topK) || topK < 1) throw invalidArgument('topK', 'must be a whole number, at least 1');
    this.#topK = topK;
    this.#index = new Bm25Index(options);
    this.#filter = new RetrievalFilter(options);
    for (const document of documents) this.#put(document);
  }

  /** Documents that can be found. */
  get size(): number {
    return this.#documents.size;
  }

  /** Puts documents in; one whose id is there already takes its place. Those without text are kept and never found. */
  async write(documents: Documents, options?: CallContext): Promise<void> {
    for await (const document of documents) {
      throwIfAborted(options?.signal);
      this.#put(document);
    }
  }

  /** How many of them were there. */
  delete(ids: Iterable<string>): number {
    let deleted = 0;
    for (const id of ids) {
      this.#index.remove(id);
      if (this.#documents.delete(id)) deleted++;
    }
    return deleted;
  }

  /** @throws VernalError `filter_parse` or `filter_invalid` for a filter of the request or of a function; `aborted`, `timeout` */
  async retrieve(query: Query, context?: CallContext): Promise<Document[]> {
    const filter = await this.#filter.of(query, context);
    throwIfAborted(context?.signal);
    const test = filter === undefined ? undefined : compileFilter(filter);
    const place = (id: string, order: number): number | undefined =>
      test?.(this.#documents.get(id)?.metadata ?? {}) === false ? undefined : order;
    const hits = this.#index.search(query.text, { topK: this.#topK, place });
    return hits.flatMap(({ id, score }) => {
      const document = this.#documents.get(id);
      return document === undefined ? [] : { ...document, score: score / (1 + score) };
    });
  }

  #put(document: Document): void {
    this.#index.put(document.id, document.text ?? '');
    this.#documents.set(document.id, document);
  }
}
