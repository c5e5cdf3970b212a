/** A request that was let through. `tokens` is what it was thought to use; whoever knows better puts it right. */
export interface Passed {
  /** Milliseconds. */
  readonly at: number;
  tokens: number;
}

/** In any 60 seconds; infinite: no limit. */
export interface RateLimits {
  readonly requests: number;
  readonly tokens: number;
}

const MINUTE_MS = 60_000;

/** What happened in the last minute: the sliding window that limits are counted in. */
export class RateWindow {
  readonly #limits: RateLimits;
  readonly #passed: Passed[];

  constructor(limits: RateLimits) {
    this.#limits = limits;
    this.#passed = [];
  }

  /** Milliseconds until one more request fits; 0: now. One that is larger than the limit waits until it is alone. */
  waitFor(tokens: number, now: number): number {
    this.#forgetBefore(now - MINUTE_MS);
    let until = now;
    let leaving = Math.max(0, this.#passed.length - this.#limits.requests + 1);
    let held = this.#passed.slice(leaving).reduce((sum, one) => sum + one.tokens, 0);
    while (leaving < this.#passed.length && held + tokens > this.#limits.tokens) {
      held -= this.#passed[leaving]?.tokens ?? 0;
      leaving++;
    }
    const last = this.#passed[leaving - 1];
    if (last !== undefined) until = Math.max(until, last.at + MINUTE_MS);
    return until - now;
  }

  /** The same behind so many others, all of them thought to use as many `tokens`. One walk: a longer line is also asked more often. */
  waitBehind(others: number, tokens: number, now: number): number {
    const { requests, tokens: limit } = this.#limits;
    const passed: { readonly at: number; readonly tokens: number }[] = [...this.#passed];
    let held = passed.reduce((sum, one) => sum + one.tokens, 0);
    let time = now;
    let left = 0;
    for (let before = 0; ; before++) {
      for (let one = passed[left]; one !== undefined; one = passed[left]) {
        const isOver = one.at <= time - MINUTE_MS;
        if (!isOver && passed.length - left < requests && held + tokens <= limit) break;
        if (!isOver) time = one.at + MINUTE_MS;
        held -= one.tokens;
        left++;
      }
      if (before === others) return time - now;
      passed.push({ at: time, tokens });
      held += tokens;
    }
  }

  pass(tokens: number, now: number): Passed {
    const passed = { at: now, tokens };
    this.#passed.push(passed);
    return passed;
  }

  #forgetBefore(time: number): void {
    let old = 0;
    while (old < this.#passed.length && (this.#passed[old]?.at ?? time) <= time) old++;
    this.#passed.splice(0, old);
  }
}
