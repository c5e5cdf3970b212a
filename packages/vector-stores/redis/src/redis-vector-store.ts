import type { Document, DocumentEmbeddingModel, EmbeddingModel } from '@vernal/core';
import { BatchError, invalidArgument } from '@vernal/core';
import type {
  DeleteResult,
  NormalFilter,
  ResolvedSearchRequest,
  StoreContext,
  VectorStoreCapabilities,
  VectorStoreDescription,
} from '@vernal/vector-store';
import {
  diversify,
  EVERY_OPERATOR,
  fusionDepth,
  ObservedVectorStore,
  reciprocalRankFusion,
  requireDimensions,
  vectorFault,
} from '@vernal/vector-store';
import type { RedisClient } from './redis-client.js';
import type { CommandBounds } from './redis-commands.js';
import { commanded } from './redis-commands.js';
import { keyOf, vectorOf, writeCommands } from './redis-document.js';
import { RedisFilter } from './redis-filter.js';
import { openIndex } from './redis-index.js';
import { keywordQuery, vectorQuery } from './redis-query.js';
import type { RedisHit, SearchScope } from './redis-search.js';
import { RedisSearch } from './redis-search.js';
import type { RedisSettings } from './redis-settings.js';
import { redisSettings } from './redis-settings.js';
import type { RedisVectorStoreOptions } from './redis-vector-store-options.js';

interface Wanted {
  readonly limit: number;
  readonly threshold: number;
  readonly signal: AbortSignal;
}

/**
 * Documents in hashes of Redis, found by its query engine (Redis 8, Redis Stack, search 2.10 or later). An add of up to `maxBatch` documents
 * is one transaction. Filters take any key, declared or not, and mean what `evaluateFilter` says.
 *
 * @example
 * ```ts
 * const store = new RedisVectorStore({ client: new Redis(url), embeddingModel, initializeSchema: 'create' });
 * await store.add([document('Roses are red.', { lang: 'en' })]);
 * ```
 * Source: Spring AI `RedisVectorStore`; hashes in place of JSON, filters on every key, exact thresholds.
 */
export class RedisVectorStore extends ObservedVectorStore {
  readonly name: string = 'RedisVectorStore';
  readonly capabilities: VectorStoreCapabilities;
  /** What was handed in. */
  readonly client: RedisClient;
  readonly #settings: RedisSettings;
  readonly #filters: RedisFilter;
  readonly #search: RedisSearch;
  readonly #model: EmbeddingModel | DocumentEmbeddingModel | undefined;
  /** Of the index. */
  #held: number | undefined;

  /** @throws VernalError `invalid_argument` without a client, for one with a `keyPrefix`, and for settings out of range */
  constructor(options: RedisVectorStoreOptions) {
    super(options);
    const { client, embeddingModel } = options;
    if (typeof client !== 'object' || client === null)
      throw invalidArgument('client', 'is missing: give a Redis of ioredis');
    if (client.options?.keyPrefix)
      throw invalidArgument('client', "has a keyPrefix, which the query engine does not know: use 'prefix' instead");
    this.client = client;
    this.#settings = redisSettings(options);
    this.#filters = new RedisFilter(this.#settings.fields);
    this.#model = embeddingModel;
    this.#search = new RedisSearch(client, this.#settings);
    this.capabilities = {
      filterOperators: EVERY_OPERATOR,
      deleteByFilter: true,
      deleteCount: true,
      modes: ['vector', 'keyword', 'hybrid'],
      mmr: true,
      media: false,
      metric: this.#settings.metric,
      maxBatch: this.#settings.maxBatch,
      consistency: 'strong',
    };
  }

  protected describe(): VectorStoreDescription {
    const { index, dimensions = this.#held } = this.#settings;
    return {
      system: 'redis',
      collection: index,
      fieldName: 'embedding',
      ...(dimensions === undefined ? undefined : { dimensions }),
    };
  }

  protected override async doInitialize(context: StoreContext): Promise<void> {
    const { dimensions, initializeSchema } = this.#settings;
    const wanted = dimensions ?? (initializeSchema === 'none' ? undefined : await this.#model?.dimensions(context));
    this.#held = await openIndex(this.client, this.#settings, wanted, this.#bound(context));
  }

  protected async doAdd(documents: readonly Document[], context: StoreContext): Promise<void> {
    const vectors = await this.embed(documents, context);
    requireDimensions('store_write', vectors[0]?.length ?? 0, this.#held);
    const writes = documents.map((document, at) =>
      writeCommands(document, vectors[at] ?? new Float32Array(0), this.#settings),
    );
    const results = await commanded('store_write', this.#bound(context), () => this.client.multi(writes.flat()).exec());
    this.#refuseOtherKeys(documents, writes, results ?? []);
  }

  protected async doDelete(
    target: { readonly ids: readonly string[] } | { readonly filter: NormalFilter },
    context: StoreContext,
  ): Promise<DeleteResult> {
    if ('filter' in target)
      return { deleted: await this.#search.deleteMatching(this.#scope(target.filter), context.signal) };
    const { maxBatch } = this.#settings;
    const keys = target.ids.map((id) => keyOf(id, this.#settings));
    let deleted = 0;
    for (let at = 0; at < keys.length; at += maxBatch) {
      const batch = keys.slice(at, at + maxBatch);
      deleted += Number(await commanded('store_write', this.#bound(context), () => this.client.call('UNLINK', batch)));
    }
    return { deleted };
  }

  protected async doSimilaritySearch(request: ResolvedSearchRequest, context: StoreContext): Promise<Document[]> {
    const { topK, mmr, mode, similarityThreshold: threshold } = request;
    const { signal } = context;
    const wanted = { limit: mmr?.fetchK ?? topK, threshold, signal };
    const scope = this.#scope(request.filter);
    const hits =
      mode === 'keyword'
        ? await this.#byWords(request.query, scope, wanted)
        : mode === 'vector'
          ? await this.#byVector(request, scope, wanted, context)
          : await this.#byBoth(request, scope, wanted, context);
    const kept = hits.filter(({ score }) => threshold === 0 || score >= threshold);
    const chosen = mmr === undefined ? kept : await this.#diversified(kept, { topK, lambda: mmr.lambda }, context);
    return chosen.map(({ document, score, distance }) => ({
      ...document,
      metadata: { ...document.metadata, distance },
      score,
    }));
  }

  async #byVector(
    request: ResolvedSearchRequest,
    scope: SearchScope,
    wanted: Wanted,
    context: StoreContext,
  ): Promise<RedisHit[]> {
    const vector = await this.queryVector(request, context);
    requireDimensions('store_read', vector.length, this.#held);
    // Near to nothing.
    if (vectorFault(this.#settings.metric, vector) !== undefined) return [];
    return this.#search.hits(vectorQuery(vector, scope.condition, this.#settings), scope, wanted);
  }

  async #byWords(query: string, scope: SearchScope, wanted: Wanted): Promise<RedisHit[]> {
    const words = keywordQuery(query, scope.condition, this.#settings);
    return words === undefined ? [] : this.#search.hits(words, scope, wanted);
  }

  /** Both, joined by reciprocal rank fusion, as `SimpleVectorStore` does. */
  async #byBoth(
    request: ResolvedSearchRequest,
    scope: SearchScope,
    { limit, signal }: Wanted,
    context: StoreContext,
  ): Promise<RedisHit[]> {
    const wanted = { limit: fusionDepth(limit), threshold: 0, signal };
    const lists = await Promise.all([
      this.#byVector(request, scope, wanted, context),
      this.#byWords(request.query, scope, wanted),
    ]);
    const byId = new Map(lists.flat().map((hit) => [hit.document.id, hit]));
    const scores = reciprocalRankFusion(lists.map((list) => list.map(({ document }) => document.id)));
    return [...scores]
      .flatMap(([id, score]) => {
        const hit = byId.get(id);
        return hit === undefined ? [] : { ...hit, score, distance: 1 - score };
      })
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  /** What was deleted meanwhile has no vector, and is left out. */
  async #diversified(
    hits: readonly RedisHit[],
    choice: { readonly topK: number; readonly lambda: number },
    context: StoreContext,
  ): Promise<RedisHit[]> {
    const replies = await commanded('store_read', this.#bound(context), () =>
      Promise.all(hits.map(({ key }) => this.client.callBuffer('HGET', [key, 'embedding']))),
    );
    const candidates = hits.flatMap((hit, at) => {
      const vector = vectorOf(replies[at]);
      return vector === undefined ? [] : { ...hit, vector };
    });
    return diversify(candidates, { ...choice, metric: this.#settings.metric });
  }

  #scope(filter: NormalFilter | undefined): SearchScope {
    if (filter === undefined) return { condition: '*', exact: true, filter };
    const { text, exact } = this.#filters.convert(filter);
    return { condition: text, exact, filter };
  }

  /** A transaction goes on after a command that failed: keys that hold something else than a hash. */
  #refuseOtherKeys(
    documents: readonly Document[],
    writes: readonly (readonly unknown[])[],
    results: readonly (readonly [error: Error | null, result: unknown])[],
  ): void {
    let at = 0;
    const failedIds: string[] = [];
    for (const [index, commands] of writes.entries()) {
      const own = results.slice(at, at + commands.length);
      at += commands.length;
      const id = documents[index]?.id ?? '';
      if (own.length < commands.length || own.some(([error]) => error !== null)) failedIds.push(id);
    }
    if (failedIds.length === 0) return;
    throw new BatchError(
      `${failedIds.length} of ${documents.length} documents were not stored, for their keys hold something else than a hash: choose a prefix of its own`,
      { subject: 'prefix', failedIds },
    );
  }

  #bound({ signal }: StoreContext): CommandBounds {
    return { signal, timeoutMs: this.#settings.timeoutMs };
  }
}
