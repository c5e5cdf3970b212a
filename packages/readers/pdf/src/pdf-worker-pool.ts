import type { PdfJob, PdfPart } from './pdf-job.js';
import { requireWhole } from './require-whole.js';
import type { ThreadLimits } from './worker-messages.js';
import { WorkerThread } from './worker-thread.js';

/** How many threads a pool keeps, and where they come from. */
export interface PdfWorkerPoolOptions {
  /** So many threads wait for the next file; those beyond end with theirs. Default 4. */
  readonly maxIdle?: number | undefined;
  /** The file that a thread runs: `dist/worker.js` of this package, copied beside an application that is bundled. Default that of this package. */
  readonly workerUrl?: string | URL | undefined;
}

/**
 * Threads that are kept from one file to the next. A new thread takes longer to start than a short file takes to read, so a pool pays as
 * soon as there are several files. Each thread reads one file at a time: as many are started as are read at once. Idle threads do not keep
 * the process alive.
 *
 * @throws VernalError `invalid_argument` for a `maxIdle` that is no whole number
 *
 * @example
 * const pool = new PdfWorkerPool();
 * for (const path of paths) await ingest(new PagePdfDocumentReader(fileResource(path), { worker: pool }));
 * await pool.close();
 */
export class PdfWorkerPool {
  readonly #maxIdle: number;
  readonly #url: string | URL | undefined;
  readonly #idle: WorkerThread[] = [];
  #isClosed = false;

  constructor({ maxIdle = 4, workerUrl }: PdfWorkerPoolOptions = {}) {
    requireWhole('maxIdle', maxIdle, 0);
    this.#maxIdle = maxIdle;
    this.#url = workerUrl;
  }

  /**
   * What readers call: the parts of a file. Takes the bytes.
   *
   * @internal
   */
  async *read(
    bytes: Uint8Array<ArrayBuffer>,
    job: PdfJob,
    limits: ThreadLimits,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<PdfPart> {
    const thread = this.#take(limits);
    try {
      yield* thread.read(bytes, job, signal);
    } finally {
      if (this.#isClosed || this.#idle.length >= this.#maxIdle) await thread.close();
      else if (!thread.isGone) this.#idle.push(thread);
    }
  }

  /** Ends the idle threads; those that read end with their file. A reading that begins later has a thread of its own. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((thread) => thread.close()));
  }

  /** As `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #take(limits: ThreadLimits): WorkerThread {
    const at = this.#idle.findLastIndex((thread) => !thread.isGone && isSame(thread.limits, limits));
    const [thread] = at < 0 ? [] : this.#idle.splice(at, 1);
    return thread ?? new WorkerThread(limits, this.#url);
  }
}

const isSame = (one: ThreadLimits, other: ThreadLimits): boolean =>
  one.maxHeapMb === other.maxHeapMb && one.maxStreamBytes === other.maxStreamBytes;
