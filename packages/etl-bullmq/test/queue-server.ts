import {
  IngestQueue,
  type IngestQueueOptions,
  IngestWorker,
  type IngestWorkerOptions,
  RedisIngestLedger,
} from '@vernal/etl-bullmq';
import { Redis } from 'ioredis';
import * as vitest from 'vitest';
import { engine } from '../../../scripts/services/engine.mjs';
import { RedisTarget, wordSource } from './redis-target.mjs';

const found = engine('redis');

/** A queue of its own for each test; all is closed and deleted when the file is through. */
export interface QueueServer {
  readonly url: string;
  readonly client: Redis;
  name(): string;
  queue(name: string, options?: Partial<IngestQueueOptions>): IngestQueue;
  worker(name: string, options?: Partial<IngestWorkerOptions>): IngestWorker;
  target(name: string): RedisTarget;
  ledger(name: string): RedisIngestLedger;
}

export function describeOnRedis(title: string, define: (server: QueueServer) => void): void {
  if ('reason' in found) {
    vitest.it.skip(`${title}: ${found.reason}`);
    return;
  }
  const { url } = found;
  vitest.describe(title, () => {
    const client = new Redis(url, { maxRetriesPerRequest: null });
    const names: string[] = [];
    const open: { close(options?: { force?: boolean }): Promise<void> }[] = [];
    vitest.afterAll(async () => {
      for (const one of open) await one.close({ force: true });
      for (const name of names) {
        const keys = [...(await client.keys(`bull:${name}:*`)), ...(await client.keys(`*${name}*`))];
        if (keys.length > 0) await client.del(keys);
      }
      client.disconnect();
    });
    const server: QueueServer = {
      url,
      client,
      name() {
        names.push(`t${process.pid}_${Date.now().toString(36)}_${names.length}`);
        return names.at(-1) ?? '';
      },
      queue(name, options = {}) {
        const queue = new IngestQueue({ name, connection: { url }, backoffMs: 1, ...options });
        open.push(queue);
        return queue;
      },
      worker(name, options = {}) {
        const worker = new IngestWorker({
          name,
          connection: { url },
          ledger: server.ledger(name),
          target: server.target(name),
          open: (source) => wordSource(source),
          batchSize: 2,
          concurrency: 2,
          retry: { maxAttempts: 1 },
          ...options,
        });
        open.push(worker);
        return worker;
      },
      target: (name) => new RedisTarget(client, `${name}:held`),
      ledger: (name) => new RedisIngestLedger(client, { scope: name }),
    };
    define(server);
  });
}
