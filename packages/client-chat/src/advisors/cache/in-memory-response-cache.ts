import type { ChatResponse } from '@vernal/core';
import { decodeResponse, encodeResponse, invalidArgument } from '@vernal/core';
import type { ResponseCache } from './response-cache.js';

/** How much is kept, and for how long. */
export interface InMemoryResponseCacheOptions {
  /** The answer that was not asked for longest makes room. >= 1. Default 1,000. */
  readonly maxEntries?: number | undefined;
  /** Milliseconds, for answers that come without a time of their own. Default: until there is no room. */
  readonly ttlMs?: number | undefined;
  /** Milliseconds since any fixed point. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

interface Entry {
  readonly text: string;
  readonly expires: number;
}

interface Store {
  /** Least recently used first. */
  readonly entries: Map<string, Entry>;
  readonly maxEntries: number;
  readonly ttlMs: number;
  readonly now: () => number;
  /** No entry is too old before this. */
  soonest: number;
}

/** Kept out of the class's type, so that two copies of the package agree on it. */
const stores = new WeakMap<InMemoryResponseCache, Store>();

/**
 * Keeps answers in this process, least recently used out first. Has no timer: what is too old goes when it is asked for, or when room is
 * needed. Answers are copied, so nobody can change them.
 */
export class InMemoryResponseCache implements ResponseCache {
  /** Throws `invalid_argument` for less than one entry, and for a time that is not above 0. */
  constructor(options: InMemoryResponseCacheOptions = {}) {
    const { maxEntries = 1_000, ttlMs = Number.POSITIVE_INFINITY, now = Date.now } = options;
    if (!Number.isInteger(maxEntries) || maxEntries < 1) {
      throw invalidArgument('maxEntries', 'must be a whole number of at least 1');
    }
    if (!(ttlMs > 0)) throw invalidArgument('ttlMs', 'must be above 0');
    stores.set(this, { entries: new Map(), maxEntries, ttlMs, now, soonest: Number.POSITIVE_INFINITY });
  }

  /** How many answers are held, those included that are too old and were not asked for since. */
  get size(): number {
    return storeOf(this).entries.size;
  }

  async get(key: string): Promise<ChatResponse | undefined> {
    const { entries, now } = storeOf(this);
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    if (entry.expires <= now()) return undefined;
    entries.set(key, entry);
    return decodeResponse(entry.text);
  }

  async set(key: string, response: ChatResponse, ttlMs?: number): Promise<void> {
    const store = storeOf(this);
    const text = encodeResponse(response);
    store.entries.delete(key);
    if (store.entries.size >= store.maxEntries) makeRoom(store);
    const expires = store.now() + (ttlMs ?? store.ttlMs);
    store.soonest = Math.min(store.soonest, expires);
    store.entries.set(key, { text, expires });
  }

  /** Forgets everything. */
  clear(): void {
    storeOf(this).entries.clear();
  }
}

function storeOf(cache: InMemoryResponseCache): Store {
  const store = stores.get(cache);
  if (store === undefined) throw new TypeError('This is no InMemoryResponseCache: it was not made by its constructor');
  return store;
}

function makeRoom(store: Store): void {
  const { entries, maxEntries } = store;
  const time = store.now();
  if (time >= store.soonest) {
    store.soonest = Number.POSITIVE_INFINITY;
    for (const [key, { expires }] of entries) {
      if (expires <= time) entries.delete(key);
      else store.soonest = Math.min(store.soonest, expires);
    }
  }
  const [oldest] = entries.keys();
  if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest);
}
