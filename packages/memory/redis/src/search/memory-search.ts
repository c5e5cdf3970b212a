import { invalidArgument, VernalError } from '@vernal/core';
import { restoredText } from '@vernal/core/adapter';
import { conversationKeys, copyOf } from '../conversation-keys.js';
import type { FoundMessage } from '../found-message.js';
import { otherLayout } from '../layout-error.js';
import type { MemorySettings } from '../memory-settings.js';
import type { RedisConnection } from '../redis-connection.js';
import { LAYOUT } from '../scripts/script-parts.js';
import { storedEntry } from '../stored-entry.js';
import type { MemoryIndex } from './memory-index.js';
import type { MemoryQuery } from './memory-query.js';
import { isMissingIndex, searchError } from './search-error.js';
import type { RedisMemorySearchOptions } from './search-options.js';
import { type FoundCopy, foundCopies } from './search-reply.js';

/** How many copies are asked for at once. */
const PAGE = 500;
const MOST = 10_000;

/** A copy and the message that it is of. */
interface Place extends FoundCopy {
  readonly key: string;
  readonly sequence: number;
}

/** Asks the query engine for copies, and reads the messages from their conversations: what is no more there is not found. */
export class MemorySearch {
  readonly #connection: RedisConnection;
  readonly #settings: MemorySettings;
  readonly #index: MemoryIndex;

  constructor(connection: RedisConnection, settings: MemorySettings, index: MemoryIndex) {
    this.#connection = connection;
    this.#settings = settings;
    this.#index = index;
  }

  /** By time, then conversation, then sequence. */
  async find(query: MemoryQuery, { limit = 100, signal }: RedisMemorySearchOptions): Promise<FoundMessage[]> {
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
      throw invalidArgument('limit', `must be a whole number from 1 to ${MOST}`);
    if (!this.#settings.search) {
      throw new VernalError('Messages are not kept for searching: set search to true, before they are stored', {
        code: 'unsupported_capability',
        subject: 'search',
      });
    }
    try {
      return await this.#found(query, limit, signal);
    } catch (error) {
      if (!(VernalError.is(error) && isMissingIndex(error) && this.#index.forget())) throw error;
      return this.#found(query, limit, signal);
    }
  }

  async #found(query: MemoryQuery, limit: number, signal: AbortSignal | undefined): Promise<FoundMessage[]> {
    await this.#index.ready(signal);
    const found: FoundMessage[] = [];
    for (let offset = 0; found.length < limit; offset += PAGE) {
      const copies = await this.#page(query, offset, signal);
      const messages = await this.#messages(copies, signal);
      found.push(...messages.filter(({ message }) => query.fits?.(message) ?? true));
      if (copies.length < PAGE) break;
    }
    return found.slice(0, limit);
  }

  async #page({ text, params }: MemoryQuery, offset: number, signal: AbortSignal | undefined): Promise<FoundCopy[]> {
    const { indexName, timeoutMs } = this.#settings;
    const values = Object.entries(params).flat();
    // Later than the client gives up, for what the engine has found by then it takes for the answer.
    const ending = ['SORTBY', 'place', 'ASC', 'LIMIT', offset, PAGE, 'TIMEOUT', timeoutMs * 2, 'DIALECT', 2];
    const bound = values.length === 0 ? [] : ['PARAMS', values.length, ...values];
    const args = [indexName, text, 'RETURN', 1, 'createdAt', ...bound, ...ending];
    return this.#connection.run('store_read', signal, async (client) => {
      try {
        return foundCopies(await client.call('FT.SEARCH', args));
      } catch (error) {
        throw searchError(error);
      }
    });
  }

  /** In the order of the copies. */
  async #messages(copies: readonly FoundCopy[], signal: AbortSignal | undefined): Promise<FoundMessage[]> {
    const { keyPrefix } = this.#settings;
    const places = copies.flatMap((one): Place[] => {
      const of = copyOf(keyPrefix, one.copy);
      return of === undefined ? [] : [{ ...one, ...of }];
    });
    const byConversation = new Map<string, Place[]>();
    for (const place of places) byConversation.set(place.key, [...(byConversation.get(place.key) ?? []), place]);
    const found = await this.#connection.run('store_read', signal, (client) =>
      Promise.all(
        [...byConversation].map(async ([key, own]) => {
          const names = own.map(({ sequence }) => String(sequence));
          const { conversation } = conversationKeys(keyPrefix, key);
          const values = await client.call('HMGET', [conversation, 'layout', 'conversation', ...names]);
          return messagesOf(own, values as (string | null)[]);
        }),
      ),
    );
    const byCopy = new Map(found.flat());
    return copies.flatMap(({ copy }) => byCopy.get(copy) ?? []);
  }
}

/** Leaves out copies of messages that have expired, and of others that had the same sequence before. */
function messagesOf(places: readonly Place[], values: readonly (string | null)[]): [string, FoundMessage][] {
  const [layout, id, ...entries] = values;
  if (layout === null || layout === undefined || id === null || id === undefined) return [];
  if (Number(layout) !== LAYOUT) throw otherLayout();
  const conversationId = restoredText(id);
  return places.flatMap(({ copy, createdAt, sequence }, at): [string, FoundMessage][] => {
    const entry = entries[at];
    if (entry === null || entry === undefined) return [];
    const { message, createdAt: storedAt } = storedEntry(entry, { conversationId, sequence });
    return storedAt === createdAt ? [[copy, { conversationId, message, sequence, createdAt }]] : [];
  });
}
