import type { CallContext, Document } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import type { SearchMode, VectorStoreRetriever } from '@vernal/vector-store';
import type { DocumentRetriever } from './parts.js';
import type { Query } from './query.js';
import type { RetrievalFilters } from './retrieval-filter.js';
import { RetrievalFilter } from './retrieval-filter.js';

/** The store, and how it is searched. */
export interface VectorStoreDocumentRetrieverOptions extends RetrievalFilters {
  /** Any store, or anything that searches. */
  readonly vectorStore: VectorStoreRetriever;
  /** Documents a query, at most. Default 4. */
  readonly topK?: number | undefined;
  /** Keeps scores >= it, in the scale of the store's metric. Default none. */
  readonly similarityThreshold?: number | undefined;
  /** By vectors, by words or by both, where the store can. Default the store's own: 'vector'. */
  readonly mode?: SearchMode | undefined;
}

type SearchSettings = Pick<VectorStoreDocumentRetrieverOptions, 'topK' | 'similarityThreshold' | 'mode'>;

const MODES: readonly (SearchMode | undefined)[] = [undefined, 'vector', 'keyword', 'hybrid'];

function checkedSettings({ topK = 4, similarityThreshold, mode }: SearchSettings): SearchSettings {
  if (!Number.isSafeInteger(topK) || topK < 1) throw invalidArgument('topK', 'must be a whole number, at least 1');
  if (similarityThreshold !== undefined && !Number.isFinite(similarityThreshold)) {
    throw invalidArgument('similarityThreshold', 'must be a finite number; leave it out to keep all');
  }
  if (!MODES.includes(mode)) throw invalidArgument('mode', "must be 'vector', 'keyword' or 'hybrid'");
  return { topK, ...(similarityThreshold !== undefined && { similarityThreshold }), ...(mode && { mode }) };
}

/**
 * Finds documents in a vector store.
 *
 * @example
 * const retriever = new VectorStoreDocumentRetriever({
 *   vectorStore,
 *   topK: 5,
 *   filter: "lang == 'en'",
 *   requiredFilter: ({ context }) => filter.eq('tenant', tenantOf(context)),
 * });
 * const documents = await retriever.retrieve(query('How long may I keep it?'));
 * Source: Spring AI `VectorStoreDocumentRetriever`; the required filter is an addition.
 */
export class VectorStoreDocumentRetriever implements DocumentRetriever {
  readonly #vectorStore: VectorStoreRetriever;
  readonly #settings: SearchSettings;
  readonly #filter: RetrievalFilter;

  /** @throws VernalError `invalid_argument` for bad options, `filter_parse` and `filter_invalid` for filters that are none */
  constructor(options: VectorStoreDocumentRetrieverOptions) {
    const { vectorStore } = options;
    if (typeof vectorStore?.similaritySearch !== 'function') {
      throw invalidArgument('vectorStore', 'must be a vector store or an object with similaritySearch');
    }
    this.#vectorStore = vectorStore;
    this.#settings = checkedSettings(options);
    this.#filter = new RetrievalFilter(options);
  }

  /** @throws VernalError `filter_parse` or `filter_invalid` for a filter of the request or of a function; what the store throws */
  async retrieve(query: Query, context?: CallContext): Promise<Document[]> {
    const filterExpression = await this.#filter.of(query, context);
    return this.#vectorStore.similaritySearch(
      { ...this.#settings, query: query.text, ...(filterExpression && { filterExpression }) },
      context,
    );
  }
}
