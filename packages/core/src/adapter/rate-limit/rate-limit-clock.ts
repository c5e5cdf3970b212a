import { untilAborted } from '@vernal/core';

/** Time, for tests that do not wait for it. */
export interface RateLimitClock {
  /** Milliseconds since any fixed point; never goes back. */
  now(): number;
  /** Rejects as soon as the signal fires, as `untilAborted` of core does, and leaves no timer behind. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The longest wait a timer can hold; anything above would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** The real one. */
export const monotonicClock: RateLimitClock = {
  now: () => performance.now(),
  async sleep(ms, signal) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const passed = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(Math.ceil(ms), MAX_TIMER_MS));
    });
    try {
      await untilAborted(passed, signal);
    } finally {
      clearTimeout(timer);
    }
  },
};
