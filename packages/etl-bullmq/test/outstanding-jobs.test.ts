import { Queue, Worker } from 'bullmq';
import { expect, it } from 'vitest';
import type { IngestJobData, IngestJobResult } from '../src/ingest-job.js';
import type { JobEnd } from '../src/outstanding-jobs.js';
import { OutstandingJobs } from '../src/outstanding-jobs.js';
import { describeOnRedis } from './queue-server.js';

const result: IngestJobResult = { outcome: 'added', written: 1, resumed: 0, deleted: 0 };

describeOnRedis('jobs that nobody told the end of', ({ url, name }) => {
  it('are found by asking, with their results, also when they end while they are asked about', async () => {
    const id = name();
    const queue = new Queue<IngestJobData, IngestJobResult>(id, { connection: { url } });
    const worker = new Worker<IngestJobData, IngestJobResult>(id, async () => result, {
      connection: { url },
      autorun: false,
    });
    try {
      const ends: JobEnd[] = [];
      const jobs = new OutstandingJobs((end) => ends.push(end));
      const { id: jobId = '' } = await queue.add('source', { source: 'a', action: 'ingest' });
      jobs.add(jobId, 'a');
      jobs.add('gone', 'b');
      const completed = new Promise((resolve) => worker.once('completed', resolve));
      const slow = Object.assign(Object.create(queue) as typeof queue, {
        getJob: async (asked: string) => {
          const seen = await queue.getJob(asked);
          void worker.run();
          await completed;
          return seen;
        },
      });
      await jobs.ask(slow);
      void worker.run();
      await completed;
      await jobs.ask(queue);
      expect(ends).toContainEqual({ source: 'a', result });
      expect(ends).toContainEqual({ source: 'b', reason: 'The job was taken out of the queue' });
      expect([ends.length, jobs.size]).toEqual([2, 0]);
    } finally {
      await worker.close();
      await queue.close();
    }
  });
});
