import type { CallContext } from '@vernal/core';

/** What is done once everything before it is durable. */
interface Mark {
  readonly run: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Lets the ledger be told of what was written once that is durable: at once, or behind the next flush. */
export class Checkpoint {
  readonly #flush: ((context: CallContext) => Promise<void>) | undefined;
  readonly #every: number;
  readonly #context: CallContext;
  readonly #broken: (error: unknown) => void;
  #marks: Mark[] = [];
  #passages = 0;
  #running: Promise<void> | undefined;

  /** `broken` is told of a flush that fails: what was to be marked behind it never is. */
  constructor(
    flush: ((context: CallContext) => Promise<void>) | undefined,
    every: number,
    context: CallContext,
    broken: (error: unknown) => void,
  ) {
    this.#flush = flush;
    this.#every = every;
    this.#context = context;
    this.#broken = broken;
  }

  /** Runs it at once, and throws what it throws; with a flush behind the next one, and tells `failed`. */
  async after(run: () => Promise<void>, failed: (error: unknown) => void): Promise<void> {
    if (this.#flush === undefined) await run();
    else this.#marks.push({ run, failed });
  }

  /** Passages that were written or deleted. Flushes when it is time to, but not from within a mark, which would wait for itself. */
  async changed(passages: number): Promise<void> {
    if (this.#flush === undefined) return;
    this.#passages += passages;
    if (this.#passages >= this.#every && this.#running === undefined) await this.#run();
  }

  /** Flushes as long as there is something to be marked. */
  async end(): Promise<void> {
    while (this.#running !== undefined || this.#marks.length > 0) await this.#run();
  }

  /** One flush at a time; whoever comes while one is under way waits for it and no longer. */
  async #run(): Promise<void> {
    this.#running ??= this.#flushed().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #flushed(): Promise<void> {
    const marks = this.#marks;
    this.#marks = [];
    this.#passages = 0;
    try {
      await this.#flush?.(this.#context);
    } catch (error) {
      this.#broken(error);
      throw error;
    }
    for (const { run, failed } of marks) await run().catch(failed);
  }
}
