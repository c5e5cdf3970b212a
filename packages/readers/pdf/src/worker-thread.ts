import { VernalError } from '@vernal/core';
import { builtin, type Thread } from './engine/builtin.js';
import { PdfFailure } from './pdf-fault.js';
import type { PdfJob, PdfPart } from './pdf-job.js';
import type { FromThread, ThreadData, ThreadLimits, ToThread } from './worker-messages.js';

/** So many answers are made ahead of those that are taken. */
const AHEAD = 2;

/** What a page is given beyond its time before its thread is stopped: most pages can be left by the thread itself. */
const MOST_GRACE_MS = 5_000;

/** As in a process: with less, which is what threads have otherwise, a sixth of the time goes to the collector. */
const YOUNG_MB = 48;

interface Waiting {
  resolve(message: FromThread): void;
  reject(error: unknown): void;
}

/** A thread that reads one file at a time. It keeps the process alive only while somebody waits for it. */
export class WorkerThread {
  readonly limits: ThreadLimits;
  readonly #worker: Thread;
  readonly #replies: FromThread[] = [];
  readonly #progress = new Int32Array(new SharedArrayBuffer(8));
  #reading = 0;
  #pageMs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: Waiting | undefined;
  #failure: unknown;

  constructor(limits: ThreadLimits, url: string | URL | undefined) {
    const threads = builtin('node:worker_threads');
    if (threads === undefined) throw noThreads();
    this.limits = limits;
    const workerData: ThreadData = { role: 'vernal-pdf', progress: this.#progress, ...limits };
    this.#worker = new threads.Worker(new URL(url ?? new URL('./worker.js', import.meta.url)), {
      workerData,
      name: 'vernal-pdf',
      resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb, maxYoungGenerationSizeMb: YOUNG_MB },
      // The options of the process are for its own files.
      execArgv: [],
    });
    this.#worker.on('message', (message: FromThread) => this.#receive(message));
    this.#worker.on('error', (error) => this.#end(threadFailure(error)));
    this.#worker.on('exit', () => this.#end(new PdfFailure({ reason: 'stopped' })));
    this.#worker.unref();
  }

  /** It has ended and reads nothing any more. */
  get isGone(): boolean {
    return this.#failure !== undefined;
  }

  /** The parts of a file. Takes the bytes. A thread that is left before the end is stopped. */
  async *read(bytes: Uint8Array<ArrayBuffer>, job: PdfJob, signal: AbortSignal | undefined): AsyncGenerator<PdfPart> {
    const stop = (): void => void this.close();
    signal?.addEventListener('abort', stop, { once: true });
    const reading = ++this.#reading;
    const pageMs = 1_000 * job.maxPageSeconds;
    this.#pageMs = pageMs + Math.min(pageMs, MOST_GRACE_MS);
    let isRead = false;
    try {
      this.#post({ kind: 'read', reading, bytes, job }, [bytes.buffer]);
      for (let ahead = 0; ahead < AHEAD; ahead++) this.#post({ kind: 'more', reading });
      while (!isRead) {
        const { parts, end } = await this.#next();
        if (end !== undefined) isRead = true;
        else this.#post({ kind: 'more', reading });
        yield* parts;
        if (end?.fault !== undefined) throw new PdfFailure(end.fault, end.cause);
      }
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#reading++;
      this.#replies.length = 0;
      if (!isRead) await this.close();
    }
  }

  async close(): Promise<void> {
    this.#end(new PdfFailure({ reason: 'stopped' }));
    await this.#worker.terminate();
  }

  #post(message: ToThread, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #next(): Promise<FromThread> {
    const reply = this.#replies.shift();
    if (reply !== undefined) return Promise.resolve(reply);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#worker.ref();
    this.#watch();
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  #receive(message: FromThread): void {
    // What is left of a file that was read to its end.
    if (message.reading !== this.#reading) return;
    if (this.#waiting === undefined) this.#replies.push(message);
    else this.#settle().resolve(message);
  }

  /** Stops a thread that has been at one page for too long. */
  #watch(): void {
    clearTimeout(this.#timer);
    const begun = Atomics.load(this.#progress, 1);
    this.#timer = setTimeout(() => {
      if (Atomics.load(this.#progress, 1) !== begun) {
        this.#watch();
        return;
      }
      const page = Atomics.load(this.#progress, 0);
      this.#end(new PdfFailure({ reason: 'too_slow', ...(page > 0 && { page }) }));
      void this.close();
    }, this.#pageMs);
  }

  #end(failure: unknown): void {
    this.#failure ??= failure;
    if (this.#waiting !== undefined) this.#settle().reject(this.#failure);
  }

  #settle(): Waiting {
    const waiting = this.#waiting as Waiting;
    this.#waiting = undefined;
    clearTimeout(this.#timer);
    this.#worker.unref();
    return waiting;
  }
}

/** Whether this platform has threads of the kind that is needed. */
export function hasThreads(): boolean {
  return builtin('node:worker_threads') !== undefined;
}

function noThreads(): VernalError {
  return new VernalError('worker: this platform has no threads. Leave worker out, or set worker: false', {
    code: 'invalid_argument',
    subject: 'worker',
  });
}

function threadFailure(error: Error): unknown {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return new PdfFailure({ reason: 'memory' });
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') {
    return new VernalError(
      'worker: its file is not beside the package, which was bundled with the application. Leave the package out of the bundle, give new PdfWorkerPool({ workerUrl }), or set worker: false',
      { code: 'invalid_state', subject: 'worker', cause: error },
    );
  }
  return new PdfFailure({ reason: 'stopped' }, error);
}
