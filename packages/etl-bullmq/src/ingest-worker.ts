import { invalidArgument, type Logger, safeLogger, VernalError } from '@vernal/core';
import { type IngestOptions, type IngestReport, type IngestSource, ingest, removeSources } from '@vernal/etl';
import { type Job, type RateLimiterOptions, UnrecoverableError, Worker } from 'bullmq';
import { type IngestJobData, type IngestJobResult, isWorthRetrying, jobFault } from './ingest-job.js';
import { checkedPlace, type QueuePlace } from './queue-options.js';

/** The queue, what a source's name stands for, and everything of `ingest` that concerns one source. */
export interface IngestWorkerOptions
  extends QueuePlace,
    Omit<
      IngestOptions,
      'removeMissing' | 'allowEmpty' | 'onError' | 'onProgress' | 'flush' | 'flushEvery' | 'signal' | 'concurrency'
    > {
  /** The source of this name; undefined when there is none, which takes what the store has of it out of the store. */
  readonly open: (
    source: string,
    context: { readonly signal: AbortSignal },
  ) => IngestSource | undefined | Promise<IngestSource | undefined>;
  /** Sources at the same time. Default 1. */
  readonly concurrency?: number | undefined;
  /** Sources that all workers of the queue together start in a time, for providers that count: `{ max: 100, duration: 60_000 }`. Default none. */
  readonly limiter?: RateLimiterOptions | undefined;
  /** Milliseconds after which the work of a worker that has died is given to another one. Default 30,000. */
  readonly lockDurationMs?: number | undefined;
  /** How often a source may be given to another worker because the one before has died. Default 3; then it is a dead letter. */
  readonly maxStalledCount?: number | undefined;
}

/**
 * Takes sources out of a queue and ingests them, until it is closed. Any number of workers, in any number of processes, share a queue; they
 * need the same ledger and the same store. A source is ingested at least once, and twice is as once: what a worker that was killed has
 * written is not written again, and nothing is there twice.
 *
 * A source that fails with an error that may pass is tried again, as the queue says; one that cannot be read is a dead letter at once.
 *
 * @throws VernalError `invalid_argument` for bad options
 * @example
 * ```ts
 * await using worker = new IngestWorker({
 *   name: 'handbook',
 *   connection: { url: 'redis://localhost' },
 *   open: (path) => resourceSource(fileResource(path), new MarkdownReader(fileResource(path)), { id: path }),
 *   ledger: new SqlIngestLedger(postgresDatabase(pool)),
 *   target: vectorStore,
 *   transform: new TokenTextSplitter(),
 * });
 * ```
 * Source: the workers of BullMQ, https://docs.bullmq.io/guide/workers.
 */
export class IngestWorker {
  readonly #worker: Worker<IngestJobData, IngestJobResult>;
  readonly #leaving = new AbortController();
  readonly #options: IngestWorkerOptions;
  readonly #logger: Logger;
  #closing: Promise<void> | undefined;

  constructor(options: IngestWorkerOptions) {
    const { name, open, concurrency = 1, limiter, lockDurationMs = 30_000, maxStalledCount = 3 } = options;
    const place = checkedPlace(options);
    if (typeof open !== 'function') throw invalidArgument('open', 'must be a function from a name to its source');
    for (const [subject, value] of Object.entries({ concurrency, lockDurationMs, maxStalledCount }))
      if (!Number.isSafeInteger(value) || value < 1)
        throw invalidArgument(subject, 'must be a whole number, at least 1');
    this.#options = options;
    this.#logger = safeLogger(options.logger);
    this.#worker = new Worker(name, (job) => this.#work(job), {
      ...place,
      concurrency,
      lockDuration: lockDurationMs,
      stalledInterval: lockDurationMs,
      maxStalledCount,
      ...(limiter !== undefined && { limiter }),
    });
    // Without a listener an error of the connection would end the process.
    this.#worker.on('error', (error) => this.#logger.warn('The queue cannot be reached', { error: jobFault(error) }));
  }

  /** Resolves when the worker takes jobs; rejects when its queue cannot be reached. */
  async ready(): Promise<void> {
    await this.#worker.waitUntilReady();
  }

  /**
   * Takes no more sources, waits for those under way and closes the connections that are the worker's own. With `force` it does not wait:
   * the work stops, and another worker takes it up. Twice is once.
   */
  close(options: { readonly force?: boolean | undefined } = {}): Promise<void> {
    const force = options.force === true;
    if (force) this.#leaving.abort();
    this.#closing ??= this.#worker.close(force);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #work(job: Job<IngestJobData, IngestJobResult>): Promise<IngestJobResult> {
    try {
      return resultOf(await this.#report(job));
    } catch (error) {
      const { source } = job.data;
      this.#logger.warn('A source was not ingested', { source, error: jobFault(error) });
      const fault = jobFault(error);
      throw isWorthRetrying(error) || this.#leaving.signal.aborted ? new Error(fault) : new UnrecoverableError(fault);
    }
  }

  async #report(job: Job<IngestJobData>): Promise<IngestReport> {
    const { signal } = this.#leaving;
    const { source, action } = job.data;
    const { ledger, target, transform, enrich, version, writeConcurrency, batchSize, retry, logger } = this.#options;
    const shared = { ledger, target, transform, enrich, version, writeConcurrency, batchSize, retry, logger, signal };
    const all: IngestOptions = { ...shared, onError: 'throw' };
    const opened = action === 'remove' ? undefined : await this.#options.open(source, { signal });
    if (opened === undefined) return removeSources([source], all);
    if (opened.id !== source) {
      throw new VernalError(`open() gave the source ${opened.id} for ${source}: give it the id that was asked for`, {
        code: 'invalid_argument',
        subject: 'open',
      });
    }
    return ingest([opened], {
      ...all,
      onProgress: (event) => {
        // Progress is for people: that it cannot be told is no reason to stop.
        if (event.type === 'batch') job.updateProgress({ written: event.written }).catch(() => {});
      },
    });
  }
}

function resultOf({ added, changed, removed, written, resumed, deleted }: IngestReport): IngestJobResult {
  const outcome = added > 0 ? 'added' : changed > 0 ? 'changed' : removed > 0 ? 'removed' : 'unchanged';
  return { outcome, written, resumed, deleted };
}
