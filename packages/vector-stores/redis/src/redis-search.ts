import type { Document, Metadata } from '@vernal/core';
import { VernalError } from '@vernal/core';
import type { NormalFilter } from '@vernal/vector-store';
import { compileFilter } from '@vernal/vector-store';
import type { RedisArgument, RedisClient } from './redis-client.js';
import type { CommandBounds } from './redis-commands.js';
import { commanded } from './redis-commands.js';
import { documentOf, metadataOf } from './redis-document.js';
import type { RedisQuery } from './redis-query.js';
import { MOST_RESULTS, pageCommand } from './redis-query.js';
import type { FoundHash, SearchReply } from './redis-reply.js';
import { searchReply } from './redis-reply.js';
import type { RedisSettings } from './redis-settings.js';

/** How much more is asked for when the filter threw too much away. */
const WIDEN = 4;
const PAGE = 1000;

/** A document that was found, with its key. */
export interface RedisHit {
  readonly key: string;
  readonly document: Document;
  readonly score: number;
  readonly distance: number;
}

/** A filter as the engine is asked, and whether its answer has to be looked through. */
export interface SearchScope {
  readonly condition: string;
  readonly exact: boolean;
  readonly filter: NormalFilter | undefined;
}

/** Deletes a hash only as it was found: it may have been written anew meanwhile. */
const DELETE_UNCHANGED = `local deleted = 0
for at, key in ipairs(KEYS) do
  if redis.call('HGET', key, 'metadata') == ARGV[at] then deleted = deleted + redis.call('UNLINK', key) end
end
return deleted`;

/** Searching and deleting by filter in one index. */
export class RedisSearch {
  readonly #client: RedisClient;
  readonly #settings: RedisSettings;

  constructor(client: RedisClient, settings: RedisSettings) {
    this.#client = client;
    this.#settings = settings;
  }

  /** At most `limit`, best first. Asks for more and more until there are as many, or no more, or only such as are below `threshold`. */
  async hits(
    query: RedisQuery,
    { exact, filter }: SearchScope,
    { limit, threshold, signal }: { readonly limit: number; readonly threshold: number; readonly signal: AbortSignal },
  ): Promise<RedisHit[]> {
    const matches = matcher(filter);
    for (let count = exact ? limit : limit * WIDEN; ; count *= WIDEN) {
      const asked = Math.min(count, MOST_RESULTS);
      const found = await this.#search(query.command(asked), query.withScores, signal);
      const hits: RedisHit[] = [];
      for (const hash of found) {
        const metadata = metadataOf(hash);
        if (metadata === undefined || !matches(metadata)) continue;
        hits.push({ key: hash.key, document: documentOf(hash, metadata, this.#settings), ...query.rate(hash) });
      }
      const last = found.at(-1);
      const through = last === undefined || (threshold !== 0 && query.rate(last).score < threshold);
      if (hits.length >= limit || found.length < asked || asked === MOST_RESULTS || through)
        return hits.slice(0, limit);
    }
  }

  /**
   * Pass by pass, until one had nothing to delete. When others delete meanwhile, what is behind moves up, past the pages that are read
   * already: the next pass finds it.
   */
  async deleteMatching({ condition, filter }: SearchScope, signal: AbortSignal): Promise<number> {
    const matches = matcher(filter);
    let deleted = 0;
    for (let keptBefore = -1; ; ) {
      const { deleted: gone, kept, left } = await this.#deletePass(condition, matches, signal);
      deleted += gone;
      if (kept === 0 || (gone === 0 && (left >= kept || kept === keptBefore))) return deleted;
      keptBefore = kept;
    }
  }

  /** Page by page, until a page is empty. What does not match stays, and is stepped over; `left` is how many there are at the end. */
  async #deletePass(
    condition: string,
    matches: Matcher,
    signal: AbortSignal,
  ): Promise<{ readonly deleted: number; readonly kept: number; readonly left: number }> {
    let deleted = 0;
    for (let kept = 0; ; ) {
      const { found, total } = await this.#page(pageCommand(condition, kept, PAGE, this.#settings), false, signal);
      if (found.length === 0) return { deleted, kept, left: total };
      const gone = await this.#deleteUnchanged(
        found.filter((hash) => isMatch(hash, matches)),
        signal,
      );
      deleted += gone;
      kept += found.length - gone;
    }
  }

  /** In parts of `maxBatch`: to take a vector out of its graph takes as long as to put it in. */
  async #deleteUnchanged(found: readonly FoundHash[], signal: AbortSignal): Promise<number> {
    let deleted = 0;
    for (let at = 0; at < found.length; at += this.#settings.maxBatch) {
      const part = found.slice(at, at + this.#settings.maxBatch);
      const metadata = part.map(({ fields }) => fields.get('metadata') ?? '');
      const args = [DELETE_UNCHANGED, part.length, ...part.map(({ key }) => key), ...metadata];
      deleted += Number(await commanded('store_write', this.#bound(signal), () => this.#client.call('EVAL', args)));
    }
    return deleted;
  }

  async #search(
    command: readonly RedisArgument[],
    withScores: boolean,
    signal: AbortSignal,
  ): Promise<readonly FoundHash[]> {
    return (await this.#page(command, withScores, signal)).found;
  }

  async #page(command: readonly RedisArgument[], withScores: boolean, signal: AbortSignal): Promise<SearchReply> {
    const reply = await commanded('store_read', this.#bound(signal), () =>
      this.#client.call('FT.SEARCH', [this.#settings.index, ...command]),
    );
    const page = searchReply(reply, withScores);
    const { warnings } = page;
    if (!warnings.some((warning) => /timeout|partial/i.test(warning))) return page;
    throw new VernalError(
      'Redis gave up early and found only part: narrow the search, or raise the limits of the server',
      {
        code: 'store_read',
        retryable: true,
        details: { warnings },
      },
    );
  }

  #bound(signal: AbortSignal): CommandBounds {
    return { signal, timeoutMs: this.#settings.timeoutMs };
  }
}

type Matcher = (metadata: Metadata) => boolean;

/** Also where the engine is exact: two keys or values never meet by their hashes. */
function matcher(filter: NormalFilter | undefined): Matcher {
  return filter === undefined ? () => true : compileFilter(filter);
}

function isMatch(hash: FoundHash, matches: Matcher): boolean {
  const metadata = metadataOf(hash);
  return metadata !== undefined && matches(metadata);
}
