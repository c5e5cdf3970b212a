import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { IngestQueue } from '@vernal/etl-bullmq';
import { listFiles } from '@vernal/node';
import { Redis } from 'ioredis';
import { handbookLedger, handbookStore, NAME } from './handbook.js';

async function startWorker(): Promise<ChildProcess> {
  const child = fork(process.argv[1] ?? '', ['--worker']);
  const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (said !== 'ready') throw new Error('A worker did not start: is there a Redis with a query engine at REDIS_URL?');
  return child;
}

/** Starts three workers, has them ingest a folder, and kills one of them in the middle. */
export async function ingestByThree(url: string, folder: string): Promise<void> {
  const client = new Redis(url);
  const workers = await Promise.all([startWorker(), startWorker(), startWorker()]);
  try {
    await using queue = new IngestQueue({ name: NAME, connection: { url } });
    const options = { removeMissing: handbookLedger(client) };
    const files = () => listFiles(folder, { extensions: ['md'] });

    const [victim] = workers;
    victim?.once('message', () => {
      victim.kill('SIGKILL');
      console.log('One of three workers is killed in the middle of a file.');
    });
    const first = await queue.ingest(files(), options);
    console.log(
      `${first.added} files new, ${first.changed} changed, ${first.failed.length} failed; ${first.written} passages written, ${first.resumed} by the one that was killed.`,
    );

    const second = await queue.ingest(files(), options);
    console.log(`Once more: ${second.unchanged} files unchanged, ${second.written} passages written.`);

    const [found] = await handbookStore(client).similaritySearch('How do I write a vector store of my own?');
    console.log('Found:', found?.text?.split('\n')[0]);
  } finally {
    for (const child of workers) child.kill('SIGTERM');
    client.disconnect();
  }
}
