import type { CallContext, IngestLedger, LedgerEntry, LedgerPage, StoredLedgerEntry } from '@vernal/core';
import { invalidArgument, throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import { ledgerPage } from '@vernal/core/adapter';

/** A client of `ioredis`, or anything of its shape. */
export interface RedisLedgerClient {
  hget(key: string, field: string): Promise<string | null>;
  eval(script: string, keys: number, ...given: string[]): Promise<unknown>;
  zrangebylex(key: string, from: string, to: string, limit: 'LIMIT', offset: number, count: number): Promise<string[]>;
}

/** Where it is. */
export interface RedisIngestLedgerOptions {
  /** Default `'default'`. */
  readonly scope?: string | undefined;
  /** Of both keys. Default `'vernal:ingest'`. */
  readonly prefix?: string | undefined;
}

/** A revision is a UUID, and stands before the entry. */
const REVISION = 36;

/** Keys: entries, sources. Values: source, revision or '', entry. */
const PUT = `
local held = redis.call('HGET', KEYS[1], ARGV[1])
if (held and string.sub(held, 1, ${REVISION}) or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('ZADD', KEYS[2], 0, ARGV[1])
return 1`;

const DELETE = `
local held = redis.call('HGET', KEYS[1], ARGV[1])
if not held or string.sub(held, 1, ${REVISION}) ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1`;

/**
 * A ledger in Redis, for ingests whose workers have Redis anyway: a hash of entries and a sorted set of their names, in one slot of a cluster.
 * It has to outlive what it knows of: a Redis that is used as a cache may drop it, and then everything is ingested anew.
 *
 * @throws VernalError `ledger` for what Redis refuses, `invalid_argument` for sources with half a surrogate pair
 * @example
 * ```ts
 * const ledger = new RedisIngestLedger(new Redis(url), { scope: 'handbook' });
 * ```
 */
export class RedisIngestLedger implements IngestLedger {
  readonly scope: string;
  readonly #client: RedisLedgerClient;
  readonly #entries: string;
  readonly #sources: string;

  constructor(
    client: RedisLedgerClient,
    { scope = 'default', prefix = 'vernal:ingest' }: RedisIngestLedgerOptions = {},
  ) {
    if (typeof client?.eval !== 'function') throw invalidArgument('client', 'pass a client of ioredis');
    this.scope = scope;
    this.#client = client;
    // What stands in braces decides on the slot; a brace of the scope's own would end it early.
    const tag = `{${prefix}:${encodeURIComponent(scope)}}`;
    this.#entries = `${tag}:entries`;
    this.#sources = `${tag}:sources`;
  }

  async get(source: string, context?: CallContext): Promise<StoredLedgerEntry | undefined> {
    const held = await this.#ask(() => this.#client.hget(this.#entries, source), context);
    if (held === null) return undefined;
    const entry = JSON.parse(held.slice(REVISION)) as LedgerEntry;
    return { ...entry, revision: held.slice(0, REVISION) };
  }

  async put(entry: LedgerEntry, revision: string | undefined, context?: CallContext): Promise<string | undefined> {
    const { source, current, pending, stale } = entry;
    if (/\p{Surrogate}/u.test(source)) throw invalidArgument('source', 'must not hold half a surrogate pair');
    const next = globalThis.crypto.randomUUID();
    const value = `${next}${JSON.stringify({ source, current, pending, stale })}`;
    return (await this.#change(PUT, [source, revision ?? '', value], context)) ? next : undefined;
  }

  delete(source: string, revision: string, context?: CallContext): Promise<boolean> {
    return this.#change(DELETE, [source, revision], context);
  }

  async sources(page?: LedgerPage, context?: CallContext): Promise<readonly string[]> {
    const { after, limit } = ledgerPage(page);
    const from = after === undefined ? '-' : `(${after}`;
    return this.#ask(() => this.#client.zrangebylex(this.#sources, from, '+', 'LIMIT', 0, limit), context);
  }

  /** Nothing: the client is the caller's. */
  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  async #change(script: string, given: readonly string[], context: CallContext | undefined): Promise<boolean> {
    const asked = (): Promise<unknown> => this.#client.eval(script, 2, this.#entries, this.#sources, ...given);
    return (await this.#ask(asked, context)) === 1;
  }

  async #ask<T>(command: () => Promise<T>, context: CallContext | undefined): Promise<T> {
    throwIfAborted(context?.signal);
    try {
      return await untilAborted(command(), context?.signal);
    } catch (error) {
      if (VernalError.is(error)) throw error;
      // Its words may quote names of sources.
      throw new VernalError(
        'Redis cannot be asked for the ledger: check that the server runs, and the rights of its user',
        {
          code: 'ledger',
          retryable: true,
          details: error instanceof Error ? { reason: error.name } : {},
        },
      );
    }
  }
}
