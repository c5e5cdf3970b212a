import { abortError, throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import { copiesPrefix } from '../conversation-keys.js';
import type { MemorySettings } from '../memory-settings.js';
import type { RedisConnection } from '../redis-connection.js';
import { type MetadataField, SEPARATOR } from './metadata-fields.js';
import { searchError } from './search-error.js';
import { listOf, pairsOf } from './search-reply.js';

const POLL_MS = 20;
const TAG = ['TAG', 'SEPARATOR', SEPARATOR, 'CASESENSITIVE'];
const FIELDS: readonly (readonly [name: string, ...definition: string[]])[] = [
  ['conversation', ...TAG],
  ['sequence', 'NUMERIC'],
  ['type', ...TAG],
  ['createdAt', 'NUMERIC'],
  // What results are in the order of: the time, the conversation and the sequence in one text.
  ['place', ...TAG, 'SORTABLE', 'UNF', 'NOINDEX'],
  ['words', 'TEXT', 'NOSTEM'],
];

/** The index over the copies of messages; made at the first use where it may be, and again where somebody dropped it. */
export class MemoryIndex {
  readonly #connection: RedisConnection;
  readonly #settings: MemorySettings;
  #made: Promise<void> | undefined;
  #isFilled = false;

  constructor(connection: RedisConnection, settings: MemorySettings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /** Once for all who ask at the same time; tried again by the next after a failure. A server without a query engine is no failure. */
  async ensure(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#settings.search || !this.#settings.creates) return;
    for (;;) {
      const started = this.#made;
      const made = started ?? this.#make(signal);
      this.#made = made;
      try {
        return await untilAborted(made, signal);
      } catch (error) {
        // Who made it goes on.
        if (started !== undefined) throwIfAborted(signal);
        if (this.#made === made) this.#made = undefined;
        throwIfAborted(signal);
        // Someone else's first use was aborted: that is no reason to fail here.
        if (started === undefined || !VernalError.is(error) || error.code !== 'aborted') throw error;
      }
    }
  }

  /** A new index reads the copies that are there already in the background; until then it would find some of them. */
  async ready(signal: AbortSignal | undefined): Promise<void> {
    await this.ensure(signal);
    while (!this.#isFilled) {
      if (Number((await this.#info(signal)).get('indexing')) > 0) await pause(signal);
      else this.#isFilled = true;
    }
  }

  /** For an index that has gone with a restart, a flush or a drop. True when it may be made again. */
  forget(): boolean {
    this.#made = undefined;
    this.#isFilled = false;
    return this.#settings.creates;
  }

  async #make(signal: AbortSignal | undefined): Promise<void> {
    const { indexName, keyPrefix, fields } = this.#settings;
    const head = [indexName, 'ON', 'HASH', 'PREFIX', 1, copiesPrefix(keyPrefix), 'STOPWORDS', 0, 'SCHEMA'];
    const args = [...head, ...FIELDS.flat(), ...fields.flatMap(definition)];
    const made = await this.#connection.run('store_write', signal, async (client) => {
      try {
        await client.call('FT.CREATE', args);
        return true;
      } catch (error) {
        // Also when another process was quicker; whether it is the right one is looked at next.
        if (error instanceof Error && /index already exists/i.test(error.message)) return false;
        const fault = searchError(error);
        if (VernalError.is(fault) && fault.code === 'unsupported_capability') return true;
        throw fault;
      }
    });
    if (!made) await this.#fit(signal);
  }

  /** Adds fields that are missing. Throws `invalid_state` for an index of something else. */
  async #fit(signal: AbortSignal | undefined): Promise<void> {
    const { indexName, keyPrefix, fields } = this.#settings;
    const info = await this.#info(signal);
    const prefixes = listOf(pairsOf(info.get('index_definition')).get('prefixes')).map(String);
    const types = new Map(
      listOf(info.get('attributes'))
        .map(pairsOf)
        .map((one) => [String(one.get('attribute')), String(one.get('type')).toUpperCase()]),
    );
    const faults = FIELDS.filter(([name, type]) => types.get(name) !== type).map(
      ([name, type]) => `the field ${name} is not ${type}`,
    );
    for (const { name, type, alias } of fields) {
      const held = types.get(alias);
      if (held !== undefined && held !== type.toUpperCase())
        faults.push(`metadataFields.${name} is ${held.toLowerCase()}, not ${type}`);
    }
    if (!prefixes.includes(copiesPrefix(keyPrefix))) faults.push('it does not index the keys under keyPrefix');
    if (faults.length > 0) {
      throw new VernalError(
        `The index does not fit: ${faults.join('; ')}. Give it another indexName, or drop it with FT.DROPINDEX, which leaves the messages alone`,
        { code: 'invalid_state', subject: 'indexName', details: { faults } },
      );
    }
    for (const field of fields) {
      if (types.has(field.alias)) continue;
      await this.#connection.run('store_write', signal, async (client) => {
        try {
          await client.call('FT.ALTER', [indexName, 'SCHEMA', 'ADD', ...definition(field)]);
        } catch (error) {
          if (!(error instanceof Error && /duplicate field/i.test(error.message))) throw error;
        }
      });
    }
  }

  async #info(signal: AbortSignal | undefined): Promise<Map<string, unknown>> {
    return this.#connection.run('store_read', signal, async (client) => {
      try {
        return pairsOf(await client.call('FT.INFO', [this.#settings.indexName]));
      } catch (error) {
        throw searchError(error);
      }
    });
  }
}

function definition({ alias, type }: MetadataField): string[] {
  if (type === 'tag') return [alias, ...TAG];
  return type === 'text' ? [alias, 'TEXT', 'NOSTEM'] : [alias, 'NUMERIC'];
}

function pause(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      if (signal !== undefined) reject(abortError(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, POLL_MS);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
