import { throwIfAborted, untilAborted } from '@vernal/core';

/** Lets so many through at a time; others wait in line. A thousand calls at once would be a thousand sockets. */
export class ConcurrencyGate {
  readonly #limit: number;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many wait in line. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async run<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    throwIfAborted(signal);
    if (this.#active < this.#limit) this.#active++;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#active--;
      else next();
    }
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    let given = false;
    let enter = (): void => {};
    const turn = new Promise<void>((resolve) => {
      enter = () => {
        given = true;
        resolve();
      };
    });
    this.#waiting.push(enter);
    try {
      await untilAborted(turn, signal);
    } catch (error) {
      const place = this.#waiting.indexOf(enter);
      if (place !== -1) this.#waiting.splice(place, 1);
      // The turn came in the moment of the abort: it goes to the next one.
      if (given) {
        const next = this.#waiting.shift();
        if (next === undefined) this.#active--;
        else next();
      }
      throw error;
    }
  }
}
