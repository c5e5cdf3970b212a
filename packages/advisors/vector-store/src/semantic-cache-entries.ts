import type { CallContext, ChatResponse, Document, SignalOptions } from '@vernal/core';
import { contentId, decodeResponse, document, encodeResponse, UnsupportedCapabilityError } from '@vernal/core';
import type { DeleteResult, FilterExpression, VectorStore } from '@vernal/vector-store';
import { filter } from '@vernal/vector-store';

// What entries have in their metadata.
const SCOPE = 'semanticCacheScope';
const RESPONSE = 'semanticCacheResponse';
/** Milliseconds since 1970. */
const EXPIRES_AT = 'semanticCacheExpiresAt';
const TENANT = 'semanticCacheTenant';

/** So many hits are looked at: the best may be too old, or about other numbers. */
const CANDIDATES = 4;

/** How entries are found, and for how long. */
export interface EntrySettings {
  readonly vectorStore: VectorStore;
  readonly similarityThreshold: number;
  readonly ttlMs: number;
  readonly accept: (question: string, cached: string) => boolean;
  readonly now: () => number;
}

/** Where a question belongs. */
export interface EntryPlace {
  readonly question: string;
  /** Only entries of the same one are looked at. */
  readonly scope: string;
  readonly tenant: string | undefined;
}

/** An answer that was given to a question like this one. */
export interface CachedAnswer {
  readonly response: ChatResponse;
  readonly similarity: number;
}

/** Questions as documents of a vector store, their answers in the metadata. */
export class SemanticCacheEntries {
  readonly #settings: EntrySettings;

  constructor(settings: EntrySettings) {
    this.#settings = settings;
  }

  /** The nearest that is near enough, of the same scope and not too old. What is too old goes. */
  async find({ question, scope }: EntryPlace, context: CallContext): Promise<CachedAnswer | undefined> {
    const { vectorStore, similarityThreshold, accept } = this.#settings;
    const found = await vectorStore.similaritySearch(
      { query: question, topK: CANDIDATES, similarityThreshold, filterExpression: filter.eq(SCOPE, scope) },
      context,
    );
    // Asked again of what came: a store that does not heed a filter or a threshold gives nothing away.
    const near = (found ?? []).filter(
      ({ metadata, score = Number.NEGATIVE_INFINITY }) => metadata[SCOPE] === scope && score >= similarityThreshold,
    );
    const stale = near.filter((entry) => this.#isStale(entry));
    if (stale.length > 0) {
      await vectorStore.delete(
        stale.map(({ id }) => id),
        context,
      );
    }
    for (const entry of near) {
      const text = entry.metadata[RESPONSE];
      if (this.#isStale(entry) || typeof text !== 'string' || !accept(question, entry.text ?? '')) continue;
      return { response: decodeResponse(text), similarity: entry.score ?? 0 };
    }
    return undefined;
  }

  /** The same question of the same scope takes the place of the one before. */
  async keep({ question, scope, tenant }: EntryPlace, response: ChatResponse, context: CallContext): Promise<void> {
    const { vectorStore, ttlMs, now } = this.#settings;
    const entry = document({
      id: await contentId(question, { scope }),
      text: question,
      metadata: {
        [SCOPE]: scope,
        [RESPONSE]: encodeResponse(response),
        ...(ttlMs < Number.POSITIVE_INFINITY && { [EXPIRES_AT]: now() + ttlMs }),
        ...(tenant !== undefined && { [TENANT]: tenant }),
      },
      // Found by the question, not by its answer.
      format: { textTemplate: '{content}' },
    });
    await vectorStore.add([entry], context);
  }

  /** Everything that is too old, whoever asked. */
  removeExpired(context: SignalOptions): Promise<DeleteResult> {
    return this.#delete(filter.lte(EXPIRES_AT, this.#settings.now()), context);
  }

  clear(tenant: string | undefined, context: SignalOptions): Promise<DeleteResult> {
    return this.#delete(tenant === undefined ? filter.isNotNull(SCOPE) : filter.eq(TENANT, tenant), context);
  }

  #isStale({ metadata }: Document): boolean {
    const expires = metadata[EXPIRES_AT];
    return typeof expires === 'number' && expires <= this.#settings.now();
  }

  async #delete(what: FilterExpression, context: SignalOptions): Promise<DeleteResult> {
    const { vectorStore } = this.#settings;
    if (vectorStore.capabilities.deleteByFilter) return vectorStore.delete({ filter: what }, context);
    throw new UnsupportedCapabilityError(
      `${vectorStore.name} cannot delete by filter: give the cache a store that can, or empty its own by the engine's means`,
      { capability: 'deleteByFilter', owner: vectorStore.name, subject: 'vectorStore' },
    );
  }
}
