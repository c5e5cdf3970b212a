import { type IngestLedger, invalidArgument, throwIfAborted, untilAborted } from '@vernal/core';
import type { IngestOutcome, IngestReport } from '@vernal/etl';
import { Queue, QueueEvents } from 'bullmq';
import { type IngestJobData, type IngestJobResult, JOB_NAME } from './ingest-job.js';
import { OutstandingJobs } from './outstanding-jobs.js';
import { checkedPlace, type QueuePlace } from './queue-options.js';

/** The queue, and how patient it is. */
export interface IngestQueueOptions extends QueuePlace {
  /** Tries of a source in all, for errors that may pass. Default 5. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the second try, which double with each. Default 1,000. */
  readonly backoffMs?: number | undefined;
}

/** A source has come to its end. */
export interface QueuedIngestEvent {
  readonly source: string;
  readonly outcome: IngestOutcome;
  /** Passages that were written. */
  readonly written: number;
  /** Of those that failed: an error's code and words, as the queue keeps it. */
  readonly reason?: string;
}

/** All may be left out. */
export interface QueuedIngestOptions {
  /** Also takes out of the store what this ledger has and the sources did not name. The workers' own ledger. */
  readonly removeMissing?: IngestLedger | undefined;
  /** With `removeMissing`: even when not one source was named, which is an error otherwise. Default false. */
  readonly allowEmpty?: boolean | undefined;
  /** Called for each source. What it throws ends the waiting. */
  readonly onProgress?: ((event: QueuedIngestEvent) => void) | undefined;
  /** Ends the waiting; what is in the queue is done all the same. */
  readonly signal?: AbortSignal | undefined;
}

/** A source that was given up. */
export interface DeadLetter {
  readonly source: string;
  readonly reason: string;
  readonly attempts: number;
  /** ISO time. */
  readonly failedAt: string;
}

const ADDED_AT_ONCE = 500;
const ASK_AFTER_MS = 5000;
/** Seconds that an ended job is kept, for whoever has missed its event. */
const KEPT = { age: 3600 };

/**
 * Gives sources to workers, in whatever processes they run, and waits until they are through. What is given up for good stays in the queue as
 * a dead letter, until it is retried or cleared.
 *
 * @throws VernalError `invalid_argument` for bad options
 * @example
 * ```ts
 * await using queue = new IngestQueue({ name: 'handbook', connection: { url: 'redis://localhost' } });
 * const report = await queue.ingest(listFiles('handbook'), { removeMissing: ledger });
 * console.log(report.changed, report.failed);
 * ```
 * Source: the queues of BullMQ, https://docs.bullmq.io/guide/queues.
 */
export class IngestQueue {
  readonly #queue: Queue<IngestJobData, IngestJobResult>;
  readonly #events: QueueEvents;
  readonly #runs = new Set<OutstandingJobs>();
  #closing: Promise<void> | undefined;

  constructor(options: IngestQueueOptions) {
    const { name, attempts = 5, backoffMs = 1000 } = options;
    const place = checkedPlace(options);
    if (!Number.isSafeInteger(attempts) || attempts < 1)
      throw invalidArgument('attempts', 'must be a whole number, at least 1');
    if (!(backoffMs >= 0)) throw invalidArgument('backoffMs', 'must be a number of milliseconds, at least 0');
    const defaultJobOptions = {
      attempts,
      backoff: { type: 'exponential', delay: backoffMs },
      removeOnComplete: KEPT,
    };
    this.#queue = new Queue(name, { ...place, defaultJobOptions });
    this.#events = new QueueEvents(name, place);
    // Without listeners an error of the connection would end the process; operations reject by themselves.
    this.#queue.on('error', () => {});
    this.#events.on('error', () => {});
    this.#events.on('completed', ({ jobId, returnvalue }) => {
      for (const run of this.#runs) run.completed(jobId, returnvalue as unknown as IngestJobResult);
    });
    this.#events.on('failed', ({ jobId, failedReason }) => {
      for (const run of this.#runs) run.failed(jobId, failedReason);
    });
  }

  /**
   * Puts the sources, by their names, into the queue and waits for what the workers make of them. An abort ends the waiting and nothing else;
   * so does the death of this process.
   *
   * @throws VernalError `invalid_argument` when `removeMissing` would take out all; `aborted` or `timeout` by the signal; what listing the
   * sources throws, after which nothing is taken for missing
   */
  async ingest(
    sources: Iterable<string> | AsyncIterable<string>,
    options: QueuedIngestOptions = {},
  ): Promise<IngestReport> {
    const { signal, removeMissing: ledger } = options;
    throwIfAborted(signal);
    const counts = { added: 0, changed: 0, unchanged: 0, removed: 0, written: 0, resumed: 0, deleted: 0 };
    const failed: { readonly source: string; readonly error: unknown }[] = [];
    let fault: { readonly error: unknown } | undefined;
    const tell = (event: QueuedIngestEvent): void => {
      try {
        options.onProgress?.(event);
      } catch (error) {
        fault ??= { error };
      }
    };
    const jobs = new OutstandingJobs((end) => {
      const { source } = end;
      if ('reason' in end) {
        failed.push({ source, error: new Error(end.reason) });
        return tell({ source, outcome: 'failed', written: 0, reason: end.reason });
      }
      const { outcome, written, resumed, deleted } = end.result;
      counts[outcome] += 1;
      counts.written += written;
      counts.resumed += resumed;
      counts.deleted += deleted;
      tell({ source, outcome, written });
    });
    this.#runs.add(jobs);
    try {
      await untilAborted(this.#events.waitUntilReady(), signal);
      const seen = await this.#addAll(sources, 'ingest', jobs, signal);
      await this.#allEnded(jobs, signal, () => fault);
      if (ledger !== undefined) {
        await this.#addAll(missing(ledger, seen, options), 'remove', jobs, signal);
        await this.#allEnded(jobs, signal, () => fault);
      }
      return { ...counts, failed };
    } finally {
      this.#runs.delete(jobs);
    }
  }

  /** Sources that were given up, the last one first. */
  async deadLetters(options: { readonly limit?: number | undefined } = {}): Promise<readonly DeadLetter[]> {
    const { limit = 100 } = options;
    if (!Number.isSafeInteger(limit) || limit < 1) throw invalidArgument('limit', 'must be a whole number, at least 1');
    const jobs = await this.#queue.getFailed(0, limit - 1);
    return jobs.map(({ data, failedReason, attemptsMade, finishedOn }) => ({
      source: data.source,
      reason: failedReason ?? 'Error',
      attempts: attemptsMade,
      failedAt: new Date(finishedOn ?? 0).toISOString(),
    }));
  }

  /** Gives all dead letters to the workers once more. */
  async retryDeadLetters(): Promise<void> {
    await this.#queue.retryJobs({ state: 'failed' });
  }

  /** Forgets all dead letters; gives how many. */
  async clearDeadLetters(): Promise<number> {
    return (await this.#queue.clean(0, 0, 'failed')).length;
  }

  /** Closes the connections that are the queue's own. Jobs stay. Twice is once. */
  close(): Promise<void> {
    this.#closing ??= Promise.all([this.#events.close(), this.#queue.close()]).then(() => {});
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Gives the sources. */
  async #addAll(
    sources: Iterable<string> | AsyncIterable<string>,
    action: IngestJobData['action'],
    jobs: OutstandingJobs,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlySet<string>> {
    const seen = new Set<string>();
    let batch: string[] = [];
    const add = async (): Promise<void> => {
      const named = batch.map((source) => ({ id: globalThis.crypto.randomUUID(), source }));
      batch = [];
      // Before they are in the queue: their end may be told sooner than that they were added.
      for (const { id, source } of named) jobs.add(id, source);
      const bulk = named.map(({ id, source }) => ({ name: JOB_NAME, data: { source, action }, opts: { jobId: id } }));
      await untilAborted(this.#queue.addBulk(bulk), signal);
    };
    for await (const source of sources) {
      throwIfAborted(signal);
      if (typeof source !== 'string' || source === '')
        throw invalidArgument('sources', 'must be names that are not empty');
      if (seen.has(source)) continue;
      seen.add(source);
      batch.push(source);
      if (batch.length === ADDED_AT_ONCE) await add();
    }
    if (batch.length > 0) await add();
    return seen;
  }

  async #allEnded(
    jobs: OutstandingJobs,
    signal: AbortSignal | undefined,
    fault: () => { readonly error: unknown } | undefined,
  ): Promise<void> {
    while (jobs.size > 0) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const isQuiet = new Promise<true>((resolve) => {
        timer = setTimeout(resolve, ASK_AFTER_MS, true);
      });
      try {
        const asks = await untilAborted(Promise.race([jobs.next().then(() => false), isQuiet]), signal);
        if (asks) await untilAborted(jobs.ask(this.#queue), signal);
      } finally {
        clearTimeout(timer);
      }
      const failure = fault();
      if (failure !== undefined) throw failure.error;
    }
  }
}

async function* missing(
  ledger: IngestLedger,
  seen: ReadonlySet<string>,
  { allowEmpty, signal }: QueuedIngestOptions,
): AsyncGenerator<string> {
  const limit = 1000;
  for (let after: string | undefined; ; ) {
    const page = await ledger.sources({ after, limit }, { signal });
    if (seen.size === 0 && page.length > 0 && allowEmpty !== true) {
      throw invalidArgument(
        'sources',
        'name none, and removeMissing would take out all: check where they come from, or set allowEmpty',
      );
    }
    yield* page.filter((source) => !seen.has(source));
    if (page.length < limit) return;
    after = page.at(-1);
  }
}
