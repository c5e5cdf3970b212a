import { throwIfAborted, untilAborted } from '@vernal/core';

interface RunningPull {
  readonly done: Promise<void>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Each model is pulled once, however many wait for it. One that is aborted leaves the others their pull; when nobody waits any more, it is
 * given up. One that failed is tried again by the next who asks.
 */
export class SharedPulls {
  readonly #pull: (model: string, signal: AbortSignal) => Promise<unknown>;
  readonly #running = new Map<string, RunningPull>();
  readonly #pulled = new Set<string>();

  constructor(pull: (model: string, signal: AbortSignal) => Promise<unknown>) {
    this.#pull = pull;
  }

  /** Whether nothing is left to be done for a model. */
  has(model: string): boolean {
    return this.#pulled.has(model);
  }

  /** For a model that turns out to be gone. */
  forget(model: string): void {
    this.#pulled.delete(model);
  }

  /** Resolves once the model is there. Rejects as the pull does, or with `aborted` or `timeout` by the caller's own signal. */
  async wait(model: string, signal: AbortSignal | undefined): Promise<void> {
    throwIfAborted(signal);
    if (this.#pulled.has(model)) return;
    const pull = this.#running.get(model) ?? this.#start(model);
    pull.waiting++;
    try {
      await untilAborted(pull.done, signal);
    } finally {
      pull.waiting--;
      if (pull.waiting === 0 && this.#running.get(model) === pull) {
        this.#running.delete(model);
        pull.controller.abort();
      }
    }
  }

  #start(model: string): RunningPull {
    const controller = new AbortController();
    const done = this.#pull(model, controller.signal).then(
      () => {
        this.#end(model, pull);
        if (!controller.signal.aborted) this.#pulled.add(model);
      },
      (error: unknown) => {
        this.#end(model, pull);
        throw error;
      },
    );
    const pull: RunningPull = { done, controller, waiting: 0 };
    this.#running.set(model, pull);
    return pull;
  }

  #end(model: string, pull: RunningPull): void {
    if (this.#running.get(model) === pull) this.#running.delete(model);
  }
}
