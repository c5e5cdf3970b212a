import type { CallContext, Document } from '@vernal/core';
import { invalidArgument, untilAborted } from '@vernal/core';
import type { FilterExpression, VectorStoreRetriever } from '@vernal/vector-store';
import { filter } from '@vernal/vector-store';
import { checkedList } from './checked-list.js';
import { chunkPlace } from './chunk-place.js';
import type { FilterSource } from './filter-source.js';
import { requiredFilterSource } from './filter-source.js';
import { mergeChunks } from './merge-chunks.js';
import type { Awaitable, DocumentPostProcessor } from './parts.js';
import type { Query } from './query.js';

/** Chunks before or behind one: more is a document of its own. */
const MOST = 100;

/** Chunks of one document that are wanted. */
export interface ChunkRequest {
  /** `parent_document_id` of their metadata. */
  readonly parentId: string;
  /** `chunk_index` of their metadata, rising. */
  readonly indexes: readonly number[];
}

/** Gives chunks, in any order; those that there are not are left out, and what was not asked for does no harm. */
export type ChunkLookup = (
  requests: readonly ChunkRequest[],
  query: Query,
  context?: CallContext,
) => Awaitable<readonly Document[]>;

/** Where the chunks are, and how many are wanted. */
export interface NeighboursOptions {
  /** The store that the chunks are in, or a function that has them from elsewhere. Asked once a query. */
  readonly source: VectorStoreRetriever | ChunkLookup;
  /** Chunks before each that was found, 0 to 100. Default 1. */
  readonly before?: number | undefined;
  /** Chunks behind it, 0 to 100. Default 1. */
  readonly after?: number | undefined;
  /** Joined by AND to what a store is asked: for tenants and permissions, as with the retrievers. */
  readonly requiredFilter?: FilterSource | undefined;
}

/**
 * Gives each chunk that was found the chunks around it, for context that was cut off: search by small pieces, show larger ones. Goes by
 * `parent_document_id` and `chunk_index`, as every `TextSplitter` here notes them; what is no such chunk stays as it is.
 *
 * Chunks that follow each other become one document in the place, and with the id, metadata and score, of the best that was found among
 * them; what they overlap is there once. Neighbours that cannot be found are done without.
 *
 * @throws VernalError `invalid_argument` for no source and for numbers out of range; `filter_parse`, `filter_invalid`
 * @example
 * ```ts
 * documentPostProcessors: [neighbours({ source: vectorStore, before: 1, after: 2 })];
 * ```
 */
export function neighbours(options: NeighboursOptions): DocumentPostProcessor {
  const { before = 1, after = 1 } = options;
  for (const [subject, value] of Object.entries({ before, after }))
    if (!Number.isSafeInteger(value) || value < 0 || value > MOST)
      throw invalidArgument(subject, `must be a whole number from 0 to ${MOST}`);
  const lookup = lookupOf(options);
  return {
    process: async (query, documents, context) => {
      const found = new FoundChunks(documents);
      const requests = found.missing(before, after);
      if (requests.length > 0) {
        const given = (async () => lookup(requests, query, context))();
        found.add(requests, checkedList(await untilAborted(given, context?.signal), 'source'));
      }
      return found.merged();
    },
  };
}

function lookupOf({ source, requiredFilter }: NeighboursOptions): ChunkLookup {
  if (typeof source === 'function') return source;
  if (typeof source?.similaritySearch !== 'function')
    throw invalidArgument('source', 'must be a vector store or a function that gives chunks');
  const required = requiredFilter === undefined ? undefined : requiredFilterSource(requiredFilter);
  return async (requests, query, context) => {
    const wanted = requests
      .map(({ parentId, indexes }) =>
        filter.and(filter.eq('parent_document_id', parentId), filter.in('chunk_index', indexes)),
      )
      .reduce<FilterExpression | undefined>((all, one) => (all === undefined ? one : filter.or(all, one)), undefined);
    if (wanted === undefined) return [];
    const permitted = await required?.(query, context);
    const filterExpression = permitted === undefined ? wanted : filter.and(permitted, wanted);
    const topK = requests.reduce((sum, { indexes }) => sum + indexes.length, 0);
    return source.similaritySearch({ query: query.text, topK, filterExpression }, context);
  };
}

/** Chunks by parent and index. */
class FoundChunks {
  readonly #documents: readonly Document[];
  readonly #hits = new Set<Document>();
  readonly #parents = new Map<string, Map<number, Document>>();

  constructor(documents: readonly Document[]) {
    this.#documents = documents;
    for (const document of documents) if (this.#put(document)) this.#hits.add(document);
  }

  missing(before: number, after: number): ChunkRequest[] {
    const requests: ChunkRequest[] = [];
    for (const [parentId, chunks] of this.#parents) {
      const indexes = new Set<number>();
      for (const [index, { metadata }] of chunks) {
        const total = metadata['total_chunks'];
        const last = typeof total === 'number' ? total - 1 : Number.POSITIVE_INFINITY;
        for (let at = Math.max(0, index - before); at <= Math.min(last, index + after); at++)
          if (!chunks.has(at)) indexes.add(at);
      }
      if (indexes.size > 0) requests.push({ parentId, indexes: Array.from(indexes).sort((a, b) => a - b) });
    }
    return requests;
  }

  add(requests: readonly ChunkRequest[], documents: readonly Document[]): void {
    const wanted = new Map(requests.map(({ parentId, indexes }) => [parentId, new Set(indexes)]));
    for (const document of documents) {
      const place = chunkPlace(document);
      if (place !== undefined && wanted.get(place.parentId)?.has(place.index)) this.#put(document);
    }
  }

  merged(): Document[] {
    const done = new Set<Document>();
    return this.#documents.flatMap((document) => {
      if (!this.#hits.has(document)) return [document];
      if (done.has(document)) return [];
      const run = this.#runAround(document);
      for (const chunk of run) done.add(chunk);
      return [run.length === 1 ? document : mergeChunks(run, document)];
    });
  }

  /** False for what is no chunk, and where there is one in its place already. */
  #put(document: Document): boolean {
    const place = chunkPlace(document);
    if (place === undefined) return false;
    const chunks = this.#parents.get(place.parentId) ?? new Map<number, Document>();
    this.#parents.set(place.parentId, chunks);
    if (chunks.has(place.index)) return false;
    chunks.set(place.index, document);
    return true;
  }

  #runAround(document: Document): Document[] {
    const { parentId = '', index = 0 } = chunkPlace(document) ?? {};
    const chunks = this.#parents.get(parentId);
    const run = [document];
    for (let at = index - 1, one = chunks?.get(at); one !== undefined; one = chunks?.get(--at)) run.unshift(one);
    for (let at = index + 1, one = chunks?.get(at); one !== undefined; one = chunks?.get(++at)) run.push(one);
    return run;
  }
}
