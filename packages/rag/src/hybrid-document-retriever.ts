import type { CallContext, Document, Logger } from '@vernal/core';
import { invalidArgument, SafeObservation, safeLogger, throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import type { FilterExpression, SearchMode, VectorStore, VectorStoreRetriever } from '@vernal/vector-store';
import { compileFilter, fusionDepth } from '@vernal/vector-store';
import { concurrentCalls } from './concurrent-calls.js';
import type { DocumentRetriever, DocumentRetrieverLike } from './parts.js';
import type { Query } from './query.js';
import { withQuery } from './query.js';
import { VECTOR_STORE_FILTER_EXPRESSION } from './rag-context-keys.js';
import { ReciprocalRankFusionJoiner } from './reciprocal-rank-fusion-joiner.js';
import type { RetrievalFilters } from './retrieval-filter.js';
import { RetrievalFilter } from './retrieval-filter.js';
import { retrieveFunction } from './retrieve-function.js';
import { VectorStoreDocumentRetriever } from './vector-store-document-retriever.js';

/** What is searched by meaning, and what by words. */
export interface HybridDocumentRetrieverOptions extends RetrievalFilters {
  readonly vectorStore: VectorStoreRetriever;
  /**
   * Searches by words where the store does not declare `hybrid`; best one that gives some fifty documents, as a `KeywordDocumentRetriever`
   * with `topK: 50` does. Default: the store's own keyword search. Not asked where the store does both.
   */
  readonly keywords?: DocumentRetrieverLike | undefined;
  /** Documents a query, at most. Default 4. */
  readonly topK?: number | undefined;
  /** Of the fusion here; a store has its own. Default 60. */
  readonly k?: number | undefined;
  /** How much vectors and words count, in the fusion here. Default [1, 1]. */
  readonly weights?: readonly [vectors: number, words: number] | undefined;
  /** One of the two fails: what the other found, with a word to the logger and the observation (default), or its error. */
  readonly onError?: 'degrade' | 'throw' | undefined;
  readonly logger?: Logger | undefined;
}

type Side = ReturnType<typeof retrieveFunction>;

function modesOf(store: VectorStoreRetriever & Partial<VectorStore>): readonly SearchMode[] {
  return store.capabilities?.modes ?? [];
}

/**
 * Finds documents by meaning and by words. A store that declares `hybrid` is asked once and joins both itself; else vectors and words are
 * searched at the same time and joined by rank, so that scores are never compared. Scores are shares of the best possible, 1 for what is
 * first by both.
 *
 * Filters hold for both sides: what the search by words finds is held against them here, whether or not it heeds them. It is also handed
 * them, as `VECTOR_STORE_FILTER_EXPRESSION` in the query's context.
 *
 * @example
 * ```ts
 * const retriever = new HybridDocumentRetriever({
 *   vectorStore,
 *   keywords: new KeywordDocumentRetriever({ documents, topK: 50 }),
 *   topK: 8,
 * });
 * ```
 */
export class HybridDocumentRetriever implements DocumentRetriever {
  readonly #sides: readonly Side[];
  readonly #topK: number;
  readonly #joiner: ReciprocalRankFusionJoiner;
  readonly #filter: RetrievalFilter;
  readonly #degrades: boolean;
  readonly #logger: Logger;

  /** @throws VernalError `invalid_argument` for bad options and where nothing searches by words; `filter_parse`, `filter_invalid` */
  constructor(options: HybridDocumentRetrieverOptions) {
    const { vectorStore, keywords, topK = 4, k, weights, onError = 'degrade', logger } = options;
    if (onError !== 'degrade' && onError !== 'throw') throw invalidArgument('onError', "must be 'degrade' or 'throw'");
    const search = (mode: SearchMode, depth: number): Side =>
      retrieveFunction(new VectorStoreDocumentRetriever({ vectorStore, topK: depth, mode }), 'vectorStore');
    const both = search('hybrid', topK);
    const modes = modesOf(vectorStore);
    const depth = fusionDepth(topK);
    const ownWords = modes.includes('keyword') ? search('keyword', depth) : undefined;
    const words = keywords === undefined ? ownWords : retrieveFunction(keywords, 'keywords');
    this.#sides = modes.includes('hybrid') ? [both] : [search('vector', depth), words ?? noKeywords()];
    this.#topK = topK;
    this.#joiner = new ReciprocalRankFusionJoiner({ k, weights });
    this.#filter = new RetrievalFilter(options);
    this.#degrades = onError === 'degrade';
    this.#logger = safeLogger(logger);
  }

  /** @throws VernalError what both searches throw, or one of them with `onError: 'throw'`; `filter_parse` or `filter_invalid`, always */
  async retrieve(query: Query, context: CallContext = {}): Promise<Document[]> {
    const filter = await this.#filter.of(query, context);
    const asked = filter === undefined ? query : withQuery(query, { context: filtered(query, filter) });
    const [first] = this.#sides;
    if (first !== undefined && this.#sides.length === 1) return [...(await first(asked, context))];
    const failures: unknown[] = [];
    const found = await concurrentCalls([...this.#sides.entries()], 2, context.signal, async ([at, side], signal) => {
      try {
        const documents = await untilAborted(side(asked, { ...context, signal }), signal);
        return { query, retriever: at, documents: filter === undefined ? documents : matching(documents, filter) };
      } catch (error) {
        throwIfAborted(signal);
        if (!this.#degrades) throw error;
        failures.push(error);
        this.#tell(at, error, context);
        return { query, retriever: at, documents: [] };
      }
    });
    if (failures.length === this.#sides.length) throw failures[0];
    return this.#joiner.join(found).slice(0, this.#topK);
  }

  #tell(at: number, error: unknown, { observation }: CallContext): void {
    const told = { side: at === 0 ? 'vectors' : 'words', code: VernalError.is(error) ? error.code : 'Error' };
    this.#logger.warn('One side of a hybrid search failed: what the other found is all', told);
    if (observation !== undefined) new SafeObservation(observation).event('hybrid_degraded', told);
  }
}

function noKeywords(): never {
  throw invalidArgument(
    'keywords',
    'is missing: the store declares no search by words, so give one, such as a KeywordDocumentRetriever',
  );
}

function filtered({ context }: Query, filter: FilterExpression): Query['context'] {
  return { ...context, [VECTOR_STORE_FILTER_EXPRESSION]: filter };
}

function matching(documents: readonly Document[], filter: FilterExpression): Document[] {
  const test = compileFilter(filter);
  return documents.filter(({ metadata }) => test(metadata));
}
