// A worker in a process of its own, until it is killed. A slow target lets the kill come in the middle of a source.
import { IngestWorker, RedisIngestLedger } from '@vernal/etl-bullmq';
import { Redis } from 'ioredis';
import { RedisTarget, wordSource } from './redis-target.mjs';

const [url, name] = process.argv.slice(2);
const client = new Redis(url, { maxRetriesPerRequest: null });
const target = new RedisTarget(client, `${name}:held`);
const worker = new IngestWorker({
  name,
  connection: { url },
  lockDurationMs: 1000,
  batchSize: 1,
  ledger: new RedisIngestLedger(client, { scope: name }),
  open: (source) => wordSource(source),
  target: {
    async write(documents) {
      await target.write(documents);
      process.stdout.write('wrote\n');
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
    delete: (ids) => target.delete(ids),
  },
});
await worker.ready();
process.stdout.write('ready\n');
