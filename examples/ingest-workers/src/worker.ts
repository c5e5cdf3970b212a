import { IngestWorker } from '@vernal/etl-bullmq';
import { Redis } from 'ioredis';
import { handbookLedger, handbookPage, handbookStore, NAME, splitter } from './handbook.js';

/** One worker. It works until its process is ended. */
export async function work(url: string): Promise<void> {
  const client = new Redis(url);
  const store = handbookStore(client);
  const worker = new IngestWorker({
    name: NAME,
    connection: { url },
    open: handbookPage,
    ledger: handbookLedger(client),
    target: {
      async write(documents, context) {
        await store.write(documents, context);
        process.send?.('wrote');
      },
      delete: (ids, context) => store.delete(ids, context),
    },
    transform: splitter,
    batchSize: 5,
    // Half a minute is better where work is long; here nobody wants to wait so long for the work of the one that is killed.
    lockDurationMs: 1000,
  });
  process.on('SIGTERM', async () => {
    await worker.close();
    client.disconnect();
    process.exit();
  });
  await worker.ready();
  process.send?.('ready');
}
