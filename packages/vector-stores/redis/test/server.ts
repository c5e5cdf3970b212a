import { hashingEmbeddingModel } from '@vernal/testing';
import { RedisVectorStore, type RedisVectorStoreOptions } from '@vernal/vector-store-redis';
import { Redis } from 'ioredis';
import * as vitest from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';

const found = engine('redis');
const run = `${process.pid}_${Date.now().toString(36)}`;
let made = 0;

export interface ClientOptions {
  readonly maxRetriesPerRequest?: number;
  readonly retryStrategy?: () => null;
  readonly keyPrefix?: string;
}

/** What the tests of one file need; clients are ended and indexes dropped, with their documents, when the file is through. */
export interface RedisServer {
  readonly client: Redis;
  readonly url: URL;
  connect(url?: string, options?: ClientOptions): Redis;
  /** A name for an index, and before ':' for its keys. */
  name(): string;
  /** Over 8 dimensions, in an index of its own that is made with the first operation. */
  store(options?: Partial<RedisVectorStoreOptions>): RedisVectorStore;
}

export function describeOnServer(name: string, define: (server: RedisServer) => void): void {
  if ('reason' in found) {
    vitest.it.skip(`${name}: ${found.reason}`);
    return;
  }
  const url = new URL(found.url);
  vitest.describe(name, () => {
    const clients: Redis[] = [];
    const names: string[] = [];
    const connect: RedisServer['connect'] = (other = url.href, options = {}) => {
      const client = new Redis(other, options);
      // The driver writes errors that nobody listens to on the console.
      client.on('error', () => {});
      clients.push(client);
      return client;
    };
    const client = connect();
    const newName = (): string => {
      names.push(`t${run}_${++made}`);
      return names.at(-1) ?? '';
    };
    vitest.afterAll(async () => {
      for (const index of names) {
        await client.call('FT.DROPINDEX', [index, 'DD']).catch(() => undefined);
        const left = await client.keys(`${index}:*`);
        if (left.length > 0) await client.del(left);
      }
      for (const one of clients) one.disconnect();
    });
    define({
      client,
      url,
      connect,
      name: newName,
      store(options = {}) {
        const index = options.index ?? newName();
        const embeddingModel = hashingEmbeddingModel({ dimensions: 8 });
        return new RedisVectorStore({
          client,
          embeddingModel,
          index,
          prefix: `${index}:`,
          initializeSchema: 'create',
          ...options,
        });
      },
    });
  });
}
