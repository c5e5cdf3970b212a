import { untilAborted } from '@vernal/core';
import type { StoreContent } from './store-content.js';

/** A few milliseconds of work. */
const ROWS_AT_A_TIME = 8;

/** Brings a store's index up to date, a little at a time, so that whatever else waits gets its turn between. */
export class IndexBuilder {
  readonly #content: () => StoreContent;
  readonly #onFailure: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #done: (() => void)[] = [];

  /** `content` is that of now: loading replaces it. After a failure, which must be one of memory, searches are exact. */
  constructor(content: () => StoreContent, onFailure: (error: unknown) => void) {
    this.#content = content;
    this.#onFailure = onFailure;
  }

  /** After every change: goes on until nothing waits. */
  wake(): void {
    if (this.#timer !== undefined) return;
    if (this.#waiting === 0) this.#finish();
    else this.#timer = setTimeout(() => this.#work(), 0);
  }

  /** When nothing waits, or the builder is stopped. @throws VernalError `aborted`, `timeout` */
  async finished(signal: AbortSignal | undefined): Promise<void> {
    const finished = new Promise<void>((resolve) => this.#done.push(resolve));
    this.wake();
    await untilAborted(finished, signal);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#finish();
  }

  get #waiting(): number {
    return this.#content().index?.waiting ?? 0;
  }

  #work(): void {
    this.#timer = undefined;
    try {
      this.#content().index?.indexSome(ROWS_AT_A_TIME);
    } catch (error) {
      // Thrown here, it would end the process.
      this.#content().dropIndex();
      this.#onFailure(error);
    }
    this.wake();
  }

  #finish(): void {
    const done = this.#done;
    this.#done = [];
    for (const resolve of done) resolve();
  }
}
