import { untilAborted } from '@vernal/core';

interface Run {
  readonly promise: Promise<void>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * One start that all callers wait for, done once. After a failure the next caller tries again. A caller that gives up leaves the others
 * waiting; when nobody waits any more the start is aborted.
 */
export class SharedStart {
  readonly #start: (signal: AbortSignal) => Promise<void>;
  #run: Run | undefined;
  #done = false;

  constructor(start: (signal: AbortSignal) => Promise<void>) {
    this.#start = start;
  }

  /** Undefined once it is done. */
  wait(signal: AbortSignal): Promise<void> | undefined {
    if (this.#done) return undefined;
    this.#run ??= this.#begin();
    return this.#join(this.#run, signal);
  }

  async #join(run: Run, signal: AbortSignal): Promise<void> {
    run.waiting++;
    try {
      await untilAborted(run.promise, signal);
    } finally {
      run.waiting--;
      if (run.waiting === 0 && this.#run === run) {
        this.#run = undefined;
        run.controller.abort();
      }
    }
  }

  #begin(): Run {
    const controller = new AbortController();
    const promise = this.#start(controller.signal);
    const run = { promise, controller, waiting: 0 };
    const over = (done: boolean): void => {
      if (this.#run !== run) return;
      this.#run = undefined;
      this.#done = done;
    };
    promise.then(
      () => over(true),
      () => over(false),
    );
    return run;
  }
}
