import { createHash } from 'node:crypto';
import { throwIfAborted } from '@vernal/core';
import type { RedisMemoryArgument, RedisMemoryClient } from './redis-memory-client.js';

/** A program that the server runs in one step. It is sent once, and from then on named by its hash. */
export class RedisScript {
  readonly #source: string;
  #hash: string | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  /** The keys have to be in one slot. */
  async run(
    client: RedisMemoryClient,
    keys: readonly string[],
    args: readonly RedisMemoryArgument[],
    signal?: AbortSignal | undefined,
  ): Promise<unknown> {
    this.#hash ??= createHash('sha1').update(this.#source).digest('hex');
    const rest = [keys.length, ...keys, ...args];
    try {
      return await client.call('EVALSHA', [this.#hash, ...rest]);
    } catch (error) {
      // It has not run: the server is new, was restarted, or is another one of the cluster.
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      throwIfAborted(signal);
      return client.call('EVAL', [this.#source, ...rest]);
    }
  }
}
