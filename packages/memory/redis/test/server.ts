import { RedisChatMemoryRepository, type RedisChatMemoryRepositoryOptions } from '@vernal/memory-redis';
import { Redis } from 'ioredis';
import * as vitest from 'vitest';
import { engine } from '../../../../scripts/services/engine.mjs';

const found = engine('redis');
const run = `${process.pid}_${Date.now().toString(36)}`;
let made = 0;

/** A name that no other test has. */
export function uniqueName(): string {
  return `m${run}_${++made}`;
}

/** Of the driver, as tests set them. */
export interface DriverOptions {
  readonly maxRetriesPerRequest?: number | null;
  readonly retryStrategy?: () => number | null;
  readonly autoResendUnfulfilledCommands?: boolean;
  readonly protocol?: 2 | 3;
}

/** What the tests of one file need; clients are ended, keys and indexes deleted, when the file is through. */
export interface RedisServer {
  readonly client: Redis;
  readonly url: URL;
  connect(url?: string, options?: DriverOptions): Redis;
  /** For keys and an index; `keyPrefix` is this and ':'. */
  name(): string;
  /** With a prefix of its own. */
  repository(options?: Partial<RedisChatMemoryRepositoryOptions>): RedisChatMemoryRepository;
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
      const one = uniqueName();
      names.push(one);
      return one;
    };
    vitest.afterAll(async () => {
      for (const one of names) await cleared(client, one);
      for (const one of clients) one.disconnect();
    });
    define({
      client,
      url,
      connect,
      name: newName,
      repository(options = {}) {
        const own = options.url === undefined ? { client } : {};
        return new RedisChatMemoryRepository({ ...own, keyPrefix: `${newName()}:`, ...options });
      },
    });
  });
}

/** Drops the index of that name, and the keys that begin with it. */
export async function cleared(client: Redis, name: string): Promise<void> {
  await client.call('FT.DROPINDEX', [name]).catch(() => undefined);
  const left = await client.keys(`${name}*`);
  if (left.length > 0) await client.unlink(left);
}
