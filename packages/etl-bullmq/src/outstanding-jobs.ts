import type { Queue } from 'bullmq';
import type { IngestJobData, IngestJobResult } from './ingest-job.js';

/** How a job has ended. */
export type JobEnd =
  | { readonly source: string; readonly result: IngestJobResult }
  | { readonly source: string; readonly reason: string };

/** Jobs that somebody waits for. Events tell how they end; one that was missed is found by asking. */
export class OutstandingJobs {
  readonly #sources = new Map<string, string>();
  readonly #ended: (end: JobEnd) => void;
  #changed: () => void = () => {};

  constructor(ended: (end: JobEnd) => void) {
    this.#ended = ended;
  }

  get size(): number {
    return this.#sources.size;
  }

  add(id: string, source: string): void {
    this.#sources.set(id, source);
  }

  completed(id: string, result: IngestJobResult): void {
    this.#end(id, (source) => ({ source, result }));
  }

  failed(id: string, reason: string): void {
    this.#end(id, (source) => ({ source, reason }));
  }

  /** Resolves when one more has ended. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#changed = resolve;
    });
  }

  /** Asks the queue about all of them. */
  async ask(queue: Queue<IngestJobData, IngestJobResult>): Promise<void> {
    for (const id of [...this.#sources.keys()]) {
      // The state first: a job that was read before it ended has no result.
      const state = await queue.getJobState(id);
      if (state !== 'completed' && state !== 'failed' && state !== 'unknown') continue;
      const job = state === 'unknown' ? undefined : await queue.getJob(id);
      if (job === undefined || job === null) this.failed(id, 'The job was taken out of the queue');
      else if (state === 'completed') this.completed(id, job.returnvalue);
      else this.failed(id, job.failedReason ?? 'Error');
    }
  }

  #end(id: string, end: (source: string) => JobEnd): void {
    const source = this.#sources.get(id);
    if (source === undefined) return;
    this.#sources.delete(id);
    this.#ended(end(source));
    this.#changed();
  }
}
