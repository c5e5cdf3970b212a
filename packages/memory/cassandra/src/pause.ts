import { untilAborted } from '@vernal/core';

/** Waits milliseconds, or until the signal fires; leaves no timer behind. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await untilAborted(over, signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits longer from try to try, up to a fifth of a second, and not as long as the next writer, who would meet this one again. */
export async function backOff(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(Math.random() * Math.min(5 * 2 ** attempt, 200), signal);
}
