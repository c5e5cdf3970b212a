import { untilAborted, VernalError } from '@vernal/core';
import type { RateLimitClock } from './rate-limit-clock.js';
import { type Passed, type RateLimits, RateWindow } from './rate-window.js';

/**
 * Lets requests through in the order they came, only as fast as its limits allow.
 *
 * @throws VernalError `model_rate_limit` from `enter`, with `retryAfterMs`, for a request that would have to wait longer than it may
 */
export class RateGate {
  readonly #window: RateWindow;
  readonly #clock: RateLimitClock;
  readonly #maxWaitMs: number;
  /** How many wait. */
  #waiting = 0;
  /** Resolves when everybody before is through, or has left. */
  #last: Promise<void> = Promise.resolve();

  constructor(limits: RateLimits, clock: RateLimitClock, maxWaitMs: number) {
    this.#window = new RateWindow(limits);
    this.#clock = clock;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Comes back when the request may start. `estimate` is what it is thought to use, as far as is known by then. */
  async enter(estimate: () => number, signal: AbortSignal | undefined): Promise<Passed> {
    const came = this.#clock.now();
    if (this.#maxWaitMs !== Number.POSITIVE_INFINITY)
      this.#refuse(this.#window.waitBehind(this.#waiting, estimate(), came));
    const before = this.#last;
    let leave: () => void = () => {};
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    this.#waiting++;
    try {
      await untilAborted(before, signal);
      for (;;) {
        const now = this.#clock.now();
        const tokens = estimate();
        const wait = this.#window.waitFor(tokens, now);
        if (wait <= 0) return this.#window.pass(tokens, now);
        this.#refuse(wait, now - came);
        await this.#clock.sleep(wait, signal);
      }
    } finally {
      this.#waiting--;
      // Whoever leaves the line out of turn must not let the next one pass those in front of it.
      void before.then(leave);
    }
  }

  #refuse(wait: number, waited = 0): void {
    if (waited + wait <= this.#maxWaitMs) return;
    throw new VernalError(
      `The rate limit of this client lets the request start in ${Math.ceil(wait)} ms, and it may wait ${this.#maxWaitMs} ms: ask later, or raise maxWaitMs`,
      {
        code: 'model_rate_limit',
        subject: 'maxWaitMs',
        retryable: true,
        retryAfterMs: Math.ceil(wait),
        details: { waitMs: Math.ceil(wait), maxWaitMs: this.#maxWaitMs },
      },
    );
  }
}
