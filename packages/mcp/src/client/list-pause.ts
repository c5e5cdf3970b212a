import { sleep } from '@vernal/core';

const FIRST_MS = 100;
const LONGEST_MS = 5_000;
/** Without a change for so long, the next one is read at once. */
const QUIET_MS = 1_000;

/** How long to wait until a list is read again: a server could answer each reading with the news that it has changed. */
export class ListPause {
  #pauseMs = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** False when the signal ended it. */
  async wait(signal: AbortSignal): Promise<boolean> {
    const since = performance.now() - this.#last;
    this.#pauseMs =
      since >= Math.max(QUIET_MS, 2 * this.#pauseMs) ? 0 : Math.min(Math.max(FIRST_MS, 2 * this.#pauseMs), LONGEST_MS);
    if (since < this.#pauseMs) await sleep(this.#pauseMs - since, signal).catch(() => {});
    this.#last = performance.now();
    return !signal.aborted;
  }
}
