import { untilAborted } from '@vernal/core';

/**
 * Writers of one process, one after the other for each conversation: a conditional write that loses has cost as much as one that wins, and of
 * many at once all but one lose. Writers of other processes are met in the database.
 */
export class ConversationTurns {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs the work when those before are done, whatever came of theirs. An abort while it waits ends the wait. */
  async run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    let end: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const last = before === undefined ? over : before.then(() => over);
    this.#last.set(key, last);
    try {
      if (before !== undefined) await untilAborted(before, signal);
      return await work();
    } finally {
      end();
      if (this.#last.get(key) === last) this.#last.delete(key);
    }
  }
}
